import { expect, it } from 'vitest';
import { filled, table } from './places.ts';

const page = `# A page

It takes <!-- generated: how long -->an hour<!-- end --> at most, and ends.

<!-- generated: rows -->
old
<!-- end -->
`;

it('fills the marked places of a page, on their own lines and within one, and leaves the rest', () => {
  const rows = table(['A', 'B'], [['a', 1]]);
  expect(filled(page, { 'how long': '$& 2 s', rows })).toBe(`# A page

It takes <!-- generated: how long -->$& 2 s<!-- end --> at most, and ends.

<!-- generated: rows -->
| A | B |
| --- | --- |
| a | 1 |
<!-- end -->
`);
});

it('notices a place that nothing is made for', () => {
  expect(() => filled(page, { rows: '' })).toThrow('nobody knows what stands in the place "how long"');
});

it('notices a place that the page has no more', () => {
  const places = { 'how long': '', rows: '', gone: '' };
  expect(() => filled(page, places)).toThrow('the page has lost its place "gone"');
});
