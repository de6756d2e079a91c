import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wrongWords } from './texts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Whatever people read: pages, help, errors, log lines, and the comments of what operators edit. The changelog is a record. */
const patterns = [
  '*.md',
  'docs/*.md',
  'packages/*/README.md',
  'packages/*/src/**/*.{ts,tsx}',
  'scripts/**/*.mjs',
  'examples/*',
  'deploy/**/*.{md,yml,yaml,env,example}',
  'docker-compose.yml',
  '.env.example',
];

const found = globSync(patterns, { cwd: root })
  .filter((path) => path !== 'CHANGELOG.md' && !/\.test\.tsx?$|\/generated\//.test(path))
  .toSorted()
  .flatMap((path) => wrongWords(path, readFileSync(join(root, path), 'utf8')));

for (const line of found) process.stderr.write(`${line}\n`);
if (found.length > 0)
  process.stderr.write(
    'An exception needs a comment on its line or the one before: plain-words: <the reason>\n',
  );
process.exitCode = found.length > 0 ? 1 : 0;
