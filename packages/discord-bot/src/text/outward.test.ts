import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harmless, mostContent, webhookName } from './outward.ts';

const marks = [
  '*',
  '_',
  '`',
  '~~',
  '||',
  '[',
  ']',
  '\\',
  '> ',
  '# ',
  '- ',
  '1. ',
  '<@1>',
  '@everyone',
  '<t:1>',
  ' ',
  'https://a.example/b_c_d',
  '🐔',
  'é',
];
const said = fc
  .array(fc.oneof(fc.constantFrom(...marks), fc.string({ maxLength: 5, unit: 'grapheme' })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

/** What people see of it: without the signs that take others their meaning. */
const seen = (text: string) => text.replaceAll('\u200b', '').replace(/\\(.)/gu, '$1');

describe('a line for Discord', () => {
  it.each([
    ['good *morning*', 'good \\*morning\\*'],
    ['_Ann_ ~~x~~ ||y|| `z`', '\\_Ann\\_ \\~\\~x\\~\\~ \\|\\|y\\|\\| \\`z\\`'],
    ['[a](https://b.example)', '\\[a\\](https://b.example)'],
    ['# big', '\\# big'],
    ['> said', '\\> said'],
    ['-# small', '\\-# small'],
    ['1. first', '1\\. first'],
    ['a > b # c - d', 'a > b # c - d'],
    [
      '<@123> <#4> <@&5> <:a:6> <t:7:R> </kick:8> <id:home>',
      '<\u200b@123> <\u200b#4> <\u200b@&5> <\u200b:a:6> <\u200bt:7:R> <\u200b/kick:8> <\u200bid:home>',
    ],
    ['@everyone and @Here', '@\u200beveryone and @\u200bHere'],
    ['see https://a.example/b_c_d*e now', 'see https://a.example/b_c_d*e now'],
    ['two\nlines\u202e', 'two lines'],
  ])('%s', (text, shown) => {
    expect(harmless(text)).toBe(shown);
  });

  it('is seen as it was said', () => {
    fc.assert(
      fc.property(said, (text) => {
        const plain = text.replaceAll(/[\u200b\\]/g, '').trim();
        expect(seen(harmless(plain, Number.POSITIVE_INFINITY))).toBe(seen(harmless(seen(harmless(plain)))));
      }),
    );
  });

  it('has no sign outside of links that stands for something else', () => {
    fc.assert(
      fc.property(said, (text) => {
        const rest = harmless(text)
          .replace(/https?:\/\/[^\s<>`|\\]+/g, 'x')
          .replace(/\\./gu, 'x');
        expect(rest).not.toMatch(/[*_~|`[\]]|<[@#:/]|@everyone|@here|^\s*[>#]/i);
      }),
    );
  });

  it('that is too long ends in a mark, and in nothing that is half', () => {
    fc.assert(
      fc.property(said, fc.integer({ min: 5, max: 60 }), (text, most) => {
        const shown = harmless(text, most);
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(/(?<!\\)(?:\\\\)*\\…$/);
        const whole = harmless(text, Number.POSITIVE_INFINITY);
        if (shown !== whole) expect(whole.startsWith(shown.slice(0, -1).trimEnd())).toBe(true);
      }),
    );
  });

  it('fits into a message with room for a name', () => {
    expect(harmless('*'.repeat(5_000)).length).toBeLessThan(mostContent - 200);
  });
});

describe('the name of a webhook', () => {
  it.each([
    ['Ann', 'Ann'],
    ['groundsphere', 'groundsphere'],
    ['Discordia', 'Disc\u043erdia'],
    ['CLYDE', 'CLYD\u0415'],
    ['here', 'h\u0435r\u0435'],
    ['  ', undefined],
    ['\u200b', undefined],
    ['Farmer', 'Farmer'],
    ['Farm', undefined],
    ['fARM', undefined],
    [' F\u200barm\u3164', undefined],
    ['\uff26arm', undefined],
    [`Farm${'\u200b'.repeat(90)}er`, undefined],
    // One character, longer than a name may be.
    [`F${'\u0301'.repeat(81)}`, undefined],
  ])('%s', (name, shown) => {
    expect(webhookName(name)).toBe(shown);
  });

  it('is one that Discord takes, whatever a player is called', () => {
    fc.assert(
      fc.property(
        fc.oneof(said, fc.mixedCase(fc.constantFrom('discord', 'clyde', 'here', 'everyone'))),
        (name) => {
          const shown = webhookName(name);
          if (shown === undefined) return;
          expect(shown.length).toBeGreaterThan(0);
          expect(shown.length).toBeLessThanOrEqual(80);
          expect(shown).not.toMatch(/discord|clyde|^(?:everyone|here)$/i);
        },
      ),
    );
  });
});
