import { expect, it } from 'vitest';
import { isVisible } from './visible.ts';

it.each(['a', ' a', '🐔', '👩‍🌾', 'é', '\u200ba', '日', '́x', '.'])('%j is there to be seen', (text) => {
  expect(isVisible(text)).toBe(true);
});

it.each([
  '',
  ' ',
  '\t\n',
  '\u00a0',
  '\u200b\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u3164',
  '\u2800',
  '\ufe0f',
  '\u{e0041}',
  '\ud800',
])('%j is not', (text) => {
  expect(isVisible(text)).toBe(false);
});
