import { anyText } from '@steward/testing/hostile/text';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forTerminal } from './terminal.ts';

const runs = { numRuns: count({ small: 200, long: 50_000 }) };

/** Half of it what does harm. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[2J',
        '\u009b31m',
        '\u202e',
        '\u2066',
        '\u2028',
        '\r',
        '\b',
        '\u007f',
        '\t',
        '\n',
      ),
      anyText(),
    ),
  )
  .map((parts) => parts.join(''));

it('lets nothing through that moves a cursor, ends a line or turns letters round, and changes nothing else', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = forTerminal(text);
      expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      const back = shown.replace(/\\u([0-9a-f]{4})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
      // What had such a text in it before cannot be told from what was written out.
      if (!text.includes('\\u')) expect(back).toBe(text);
    }),
    runs,
  );
});

it('leaves JSON the same JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(hostile, hostile), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.parse(forTerminal(text))).toEqual(JSON.parse(text));
    }),
    runs,
  );
});

it('leaves what people write as it is', () => {
  for (const text of ['مرحبا hello שלום', '日本語 – “quotes” 🐔', 'two\nlines', '👩‍🌾 of several'])
    expect(forTerminal(text)).toBe(text);
});
