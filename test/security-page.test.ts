import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');

/** The rows of the table of threats, each as its cells. */
const threats = page
  .slice(page.indexOf('| Threat |'))
  .split('\n\n', 1)
  .join()
  .split('\n')
  .slice(2)
  .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

it('has a table of threats', () => {
  expect(threats.length).toBeGreaterThan(20);
});

it.each(threats)('“%s” names a test that there is', (_threat, _control, test) => {
  const [, path = ''] = /^`(\S+\.test\.ts)`$/.exec(test ?? '') ?? [];
  expect(existsSync(new URL(path, root)) && path !== '', `"${test}" is no test`).toBe(true);
});
