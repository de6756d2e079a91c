import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('docs/reliability.md', root), 'utf8');

/** The rows of every table of promises, each as its cells. */
const promises = page
  .split('\n')
  .filter((line) => /^\| [a-z]/.test(line))
  .map((row) => {
    const [promise = '', test = '', title = '', howOften = ''] = row.slice(2).split(/ ?\| ?/);
    return { promise, path: /^`(\S+\.test\.ts)`$/.exec(test)?.[1] ?? '', title, howOften };
  });

it('has tables of promises', () => {
  expect(promises.length).toBeGreaterThan(40);
});

describe.each(promises)('“$promise”', ({ path, title, howOften }) => {
  const isThere = path !== '' && existsSync(new URL(path, root));
  const text = isThere ? readFileSync(new URL(path, root), 'utf8') : '';

  it('names a test that there is', () => {
    expect(isThere, path).toBe(true);
    expect(title).not.toBe('');
    expect(text).toContain(title);
  });

  if (howOften === '') return;
  it('tells its counts as they are', () => {
    const [, small, long] = /^([\d,]+) \/ ([\d,]+) \w+$/.exec(howOften) ?? [];
    const counts = [...text.replaceAll('_', '').matchAll(/count\(\{ small: ([^,]+), long: ([^}]+) \}\)/g)];
    expect(counts.map(([, less = '', more = '']) => [product(less), product(more)])).toContainEqual([
      number(small),
      number(long),
    ]);
  });
});

function number(digits = ''): number {
  return Number(digits.replaceAll(',', ''));
}

/** `30 * 60 * 1000`, as a length of time is written. */
function product(factors: string): number {
  return factors.split('*').reduce((all, each) => all * Number(each), 1);
}
