import { readFileSync } from 'node:fs';
import type { Places } from './places.ts';

const languages = { mts: 'ts', mjs: 'js', py: 'python', sh: 'bash' } as const;

/** Pages show the examples that people copy, and that tests run. */
export const botPlaces: Places = shown(
  'welcome-bot.mts',
  'chat-bot.mjs',
  'chat_bot.py',
  'status.py',
  'follow.sh',
);

function shown(...files: readonly `${string}.${keyof typeof languages}`[]): Places {
  return Object.fromEntries(files.map((file) => [`examples/${file}`, block(file)]));
}

function block(file: string): string {
  const text = readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8');
  const [, extension = ''] = /\.(\w+)$/.exec(file) ?? [];
  return `\`\`\`${languages[extension as keyof typeof languages]}\n${text}\`\`\``;
}
