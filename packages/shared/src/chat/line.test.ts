import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, isChatCommand, oneLine, shownAuthor, shownMessage, shownReason } from './line.ts';
import { chatLimits } from './rules.ts';

describe('text for the game', () => {
  it.each([
    ['good morning', 'good morning'],
    ['  good \t\r\n morning\u2028all ', 'good morning all'],
    ['a\u0000b\u001bc\u007fd\u009fe', 'abcde'],
    ['\u202eevil\u2066', 'evil'],
    ['\ud800', '\ufffd'],
    ['👩‍🌾 привет 你好', '👩‍🌾 привет 你好'],
    ['!ban everybody', '!ban everybody'],
    ['\u0007', ''],
    ['a \u0000 b', 'a b'],
    ['\u200b\ufe0f Robin\u200b', 'Robin\u200b'],
    ['\u200b', '\u200b'],
  ])('%j becomes %j', (given, clean) => {
    expect(oneLine(given)).toBe(clean);
  });

  it.each([
    ['🌾🌾', 2, '🌾🌾', false],
    ['🌾🌾🌾', 2, '🌾…', true],
    ['to be or not', 7, 'to be…', true],
    ['👩‍🌾👩‍🌾👩‍🌾', 8, '👩‍🌾👩‍🌾…', true],
    ['ae\u0301e\u0301', 4, 'ae\u0301…', true],
    ['a🇩🇪🇫🇷', 4, 'a🇩🇪…', true],
    [`e${'\u0301'.repeat(9)}`, 4, 'e\u0301\u0301…', true],
  ])(
    '%j cut to %i is %j: between what people see as one character, and it shows',
    (given, longest, text, isCut) => {
      expect(cut(given, longest)).toEqual({ text, isCut });
    },
  );

  it.each([
    ['🌾🌾', 4, '🌾🌾', false],
    ['🌾🌾🌾', 4, '🌾…', true],
    ['👩‍🌾👩‍🌾', 9, '👩‍🌾…', true],
    ['👩‍🌾👩‍🌾', 4, '👩\u200d…', true],
  ])('%j cut to %i UTF-16 code units is %j, without half a character', (given, longest, text, isCut) => {
    expect(cut(given, longest, ({ length }) => length)).toEqual({ text, isCut });
  });

  it('is well-formed, short, trimmed, free of controls, and clean already when cleaned again', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, longest) => {
        const line = oneLine(text);
        const { text: clean, isCut } = cut(line, longest);
        expect(isCut).toBe(clean !== line);
        expect(clean.isWellFormed()).toBe(true);
        expect(Array.from(clean).length).toBeLessThanOrEqual(longest);
        expect(clean).not.toMatch(/^\s|\s$|\s\s|[\p{Cc}\u202e]/u);
        expect(cut(oneLine(clean), longest)).toEqual({ text: clean, isCut: false });
      }),
    );
  });
});

describe('a line that somebody says', () => {
  it.each([
    ['Robin', 'Robin'],
    [' Ro\u0000bin ', 'Robin'],
    ['', 'Anonymous'],
    [' \t', 'Anonymous'],
  ])('by %j is by %s', (given, text) => {
    expect(shownAuthor(given)).toEqual({ ok: true, value: { text, isCut: false } });
  });

  it('is by nobody who only looks like nobody', () => {
    expect(shownAuthor('\u200b')).toEqual({ ok: false, reason: 'has no visible character' });
  });

  it('says something', () => {
    expect(shownMessage('good\nmorning')).toEqual({
      ok: true,
      value: { text: 'good morning', isCut: false },
    });
    for (const nothing of ['', ' ', '\u0007', '\u200b'])
      expect(shownMessage(nothing)).toMatchObject({ ok: false });
  });

  it('is cut where it is too long, and so is its author', () => {
    const long = 'x'.repeat(chatLimits.messageCharacters + 1);
    for (const shown of [shownAuthor(long), shownMessage(long)]) {
      expect(shown).toMatchObject({ ok: true, value: { isCut: true } });
    }
  });
});

it.each(['!login secret', '  !login secret', '\t!', '\ufeff!x'])('knows %j for a command', (message) => {
  expect(isChatCommand(message)).toBe(true);
});

it.each(['hello!', '', 'say !login', '¡hola!'])('knows %j for chat', (message) => {
  expect(isChatCommand(message)).toBe(false);
});

describe('why a player is kept out or sent away', () => {
  it.each([
    ['Take\na \u202ebreak', { text: 'Take a break', isCut: false }],
    ['🌾'.repeat(10_000), { text: `${'🌾'.repeat(199)}…`, isCut: true }],
  ])('is one short line', (given, value) => {
    expect(shownReason(given)).toEqual({ ok: true, value });
  });

  it.each(['', ' ', '\u200b'])('is something to be seen: %j', (given) => {
    expect(shownReason(given).ok).toBe(false);
  });
});
