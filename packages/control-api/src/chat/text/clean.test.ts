import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from './clean.ts';

const codePoints = (text: string) => Array.from(text).length;

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
  ])('%j becomes %j', (given, clean) => {
    expect(cleanText(given, 50)).toBe(clean);
  });

  it('is cut between characters, not within one', () => {
    expect(cleanText('🌾🌾🌾', 2)).toBe('🌾🌾');
  });

  it('is well-formed, short, trimmed, free of controls, and clean already when cleaned again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, longest) => {
          const clean = cleanText(text, longest);
          expect(clean.isWellFormed()).toBe(true);
          expect(codePoints(clean)).toBeLessThanOrEqual(longest);
          expect(clean).not.toMatch(/^\s|\s$|\s\s|[\p{Cc}\u202e]/u);
          expect(cleanText(clean, longest)).toBe(clean);
        },
      ),
    );
  });
});
