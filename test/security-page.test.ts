import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { titlesIn } from './security-page/titles.ts';

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

// A row's last cell: `file › title`, or with the titles of what the test stands in between; several are separated by commas.
it.each(threats)('“%s” names tests that there are', (_threat, _control, tests = '') => {
  const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.split(' › '));
  expect(named).not.toEqual([]);
  for (const [path = '', ...titles] of named) {
    expect(path).toMatch(/\.test\.ts$/);
    expect(existsSync(new URL(path, root)), `there is no ${path}`).toBe(true);
    expect(titles, `${path} without a title`).not.toEqual([]);
    expect(titlesIn(readFileSync(new URL(path, root), 'utf8'))).toEqual(expect.arrayContaining(titles));
  }
});

describe('the titles in a test file', () => {
  it.each([
    ["it('a', () => {})", ['a']],
    ['describe("it\'s b", () => {})', ["it's b"]],
    ["it.concurrent.each([\n  1,\n])(\n  'c $x',\n  async () => {})", ['c $x']],
    ["it('says \\'d\\'', () => {})", ["says 'd'"]],
    ["describe.each(['x'])('e %s', () => {})", ['e %s']],
    ["expect('no title')", []],
    ["// it('commented out')", []],
  ])('of %j are %j', (text, titles) => {
    expect(titlesIn(text)).toEqual(titles);
  });
});
