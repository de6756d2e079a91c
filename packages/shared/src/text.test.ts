import { expect, it } from 'vitest';
import { capital, fromFirstVisible, isBlank } from './text.ts';

it.each([
  '',
  ' \t\r\n\u00a0\u3000',
  '\u0000\u001b\u009f',
  '\u200b',
  '\u200c\u200d\u2060\ufeff',
  '\u00ad\u034f\u061c',
  '\u202e\u2066\u2069',
  '\u115f\u1160\u3164\uffa0',
  '\ufe0f\u{e0100}',
  '\u{e0001}\u{e007f}',
  '\u2800\ufff9\ufffb\u{1d159}',
  '\ud800',
])('%j shows nothing', (text) => {
  expect(isBlank(text)).toBe(true);
  expect(fromFirstVisible(`${text}!`)).toBe('!');
});

it.each(['a', '\u200bb', '👩‍🌾', '.', 'ﷺ', '\ufffd', '\u0301', '你'])('%j shows something', (text) => {
  expect(isBlank(text)).toBe(false);
});

it('makes words the beginning of a sentence', () => {
  expect(capital('the game shows no invite code')).toBe('The game shows no invite code');
  expect(capital('Already')).toBe('Already');
  expect(capital('')).toBe('');
});
