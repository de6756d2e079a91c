import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('docs', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

it.each(pages)('%s tells nobody to run a script that does not exist', (page) => {
  const named = [...read(page).matchAll(/npm run (?:-\S+ )*([a-z][a-z:-]*)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

it('finds the scripts that a page names', () => {
  expect(read('docs/game-bridge.md')).toContain('npm run bridge-conformance');
});

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}
