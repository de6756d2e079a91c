import { expect, it } from 'vitest';
import { hangingLines } from './hanging-lines.ts';

it('leaves a line that fits as it is', () => {
  expect(hangingLines('Kept       205 files, 3.63 MB', 40)).toEqual(['Kept       205 files, 3.63 MB']);
});

it('sets in what does not fit, below an indented line still deeper', () => {
  expect(hangingLines('  *.xnb: 8 files, 211 kB. Texts and fonts of de-DE', 30)).toEqual([
    '  *.xnb: 8 files, 211 kB.',
    '    Texts and fonts of de-DE',
  ]);
});
