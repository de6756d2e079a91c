import { expect, it } from 'vitest';
import {
  addressOrNetwork,
  importedRows,
  moderationLimits,
  rowId,
  shownWhy,
} from './moderation-parameters.ts';

it.each(['198.51.100.7', '198.51.100.0/24', '2001:db8::/32', '::1'])(
  '%s has the form of an address',
  (text) => {
    expect(addressOrNetwork.parse(text)).toEqual({ ok: true, value: text });
  },
);

it.each(['', 'home', '198.51.100.7 ', '198.51.100.7/', '1/2/3', '[::1]'])('%j has not', (text) => {
  expect(addressOrNetwork.parse(text).ok).toBe(false);
});

it('takes a reason as it was given, where something of it can be seen', () => {
  expect(shownWhy.parse(' Take\na break')).toEqual({ ok: true, value: ' Take\na break' });
  expect(shownWhy.parse('\u200b').ok).toBe(false);
});

it('takes as many rows as fit', () => {
  const { importedCharacters } = moderationLimits;
  expect(importedRows.parse('x'.repeat(importedCharacters)).ok).toBe(true);
  expect(importedRows.parse('x'.repeat(importedCharacters + 1)).ok).toBe(false);
});

it('knows the id of a row', () => {
  expect(rowId.parse('row_5b1f0c9a7d24').ok).toBe(true);
  expect(rowId.parse('row_5b1f0c9a7d2').ok).toBe(false);
});
