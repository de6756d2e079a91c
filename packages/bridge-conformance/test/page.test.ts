import { readFileSync } from 'node:fs';
import { commands } from '@steward/shared/bridge/commands';
import { gameEvent } from '@steward/shared/bridge/events';
import { gameSettings } from '@steward/shared/bridge/settings';
import { expect, it } from 'vitest';
import { allRules } from '../src/rules/all-rules.ts';

const page = readFileSync(new URL('../../../docs/game-bridge.md', import.meta.url), 'utf8');

it.each(allRules)('sends whoever breaks $id to a section that exists', ({ section }) => {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''));
  expect(headings).toContain(section);
});

it.each(['game', 'server'] as const)('names every member of settings.%s', (part) => {
  const [, table = ''] = new RegExp(`^\\| \`settings\\.${part}\`([\\s\\S]*?)\\n\\n`, 'm').exec(page) ?? [];
  const missing = Object.keys(gameSettings.shape[part].shape).filter(
    (name) => !table.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});

it.each([
  ['command', Object.keys(commands)],
  ['event', gameEvent.options.map(({ shape }) => shape.kind.value)],
])('has a row of a table for each %s', (_what, names) => {
  const described = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, first = '']) => first);
  expect(names.filter((name) => !described.some((first) => first.includes(`\`${name}\``)))).toEqual([]);
});
