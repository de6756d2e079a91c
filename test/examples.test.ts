import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../examples/', import.meta.url);
const readme = readFileSync(new URL('README.md', folder), 'utf8');
const rows = [...readme.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \|.*\| `([^`]+)` \|/gm)];

it('the page of the examples has a row for each, with a command that runs it', () => {
  const files = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(rows.map(([, name]) => name).sort()).toEqual(files.sort());
  for (const [row, name, link, command] of rows) {
    expect(link, row).toBe(name);
    expect(command, row).toContain(`examples/${name}`);
  }
});
