import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function split(limit: number, ...chunks: (string | Uint8Array)[]) {
  const splitter = new LineSplitter(limit);
  return chunks.flatMap((chunk) => [...splitter.push(typeof chunk === 'string' ? bytes(chunk) : chunk)]);
}

it('gives the same lines wherever the stream is cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, cuts) => {
      const whole = bytes(lines.map((text) => `${text}\n`).join(''));
      const places = [
        0,
        ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b),
        whole.length,
      ];
      const pieces = places.slice(1).map((end, index) => whole.subarray(places[index], end));
      expect(split(10_000, ...pieces)).toEqual(lines.map((text) => ({ kind: 'line', text })));
    }),
  );
});

it('says once that a line is over the limit, skips it, and goes on with the next', () => {
  expect(split(4, 'abc', 'defgh', 'ij\nkl\n')).toEqual([
    { kind: 'over-limit' },
    { kind: 'line', text: 'kl' },
  ]);
  expect(split(4, 'abcd\n')).toEqual([{ kind: 'line', text: 'abcd' }]);
});

it('holds back a line that has not ended, until no more can come', () => {
  expect(split(4, 'ab')).toEqual([]);
  const splitter = new LineSplitter(4);
  expect([...splitter.push(new TextEncoder().encode('ab\ncd'))]).toEqual([{ kind: 'line', text: 'ab' }]);
  expect(splitter.rest()).toEqual({ kind: 'line', text: 'cd' });
  expect(splitter.rest()).toBeUndefined();
  expect([...splitter.push(new TextEncoder().encode('too long'))]).toEqual([{ kind: 'over-limit' }]);
  expect(splitter.rest()).toBeUndefined();
});

it('tells what is not UTF-8 from what is', () => {
  expect(split(9, new Uint8Array([0xff, 0x0a]), 'é\n')).toEqual([
    { kind: 'not-utf8', text: '\ufffd' },
    { kind: 'line', text: 'é' },
  ]);
});
