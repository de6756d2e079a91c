import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chatDifferences } from './stage/chat-differences.ts';
import { httpDifferences } from './stage/http-differences.ts';

const page = readFileSync(new URL('../../../../docs/migrating.md', import.meta.url), 'utf8');
const checks = { ...httpDifferences, ...chatDifferences };

/** The left sides of the table of differences, with the page's quotation marks as the code has them. */
function rows(): readonly string[] {
  const [, table = ''] = page.split('| Theirs | Ours |\n| --- | --- |\n');
  const [lines = ''] = table.split('\n\n');
  return lines
    .split('\n')
    .map((line) => (line.split(' | ')[0] ?? '').slice('| '.length).replaceAll("'", '’'));
}

it.each(rows())('clients of the existing server notice what the page says: %s', async (row) => {
  const check = checks[row];
  expect(check, 'no check in stage/ holds this row').toBeDefined();
  await check?.();
});

it('has a row for each difference that is checked', () => {
  expect(Object.keys(checks).toSorted()).toEqual(rows().toSorted());
});
