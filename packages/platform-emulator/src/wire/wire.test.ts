import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from './frame.ts';
import { decodeStrings, encodeKeyValues, encodeVdf, vdfList } from './key-values.ts';

const id64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);

it('reads every frame it writes, with every bit of its 64-bit ids', () => {
  const frame = fc.record({
    message: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    header: fc.record({ steamid: id64, jobid_source: id64, jobid_target: id64, client_sessionid: fc.nat() }),
    body: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  });
  fc.assert(
    fc.property(frame, (written) => {
      const read = decodeFrame(encodeFrame(written));
      expect(read?.message).toBe(written.message);
      expect(read?.header).toMatchObject(written.header);
      expect(read?.body.equals(written.body)).toBe(true);
    }),
  );
});

it('takes any bytes for a frame or for none, and never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const marked = Buffer.from([1, 0, 0, 0x80, bytes.length, 0, 0, 0, ...bytes]);
      for (const frame of [marked, Buffer.from(bytes)])
        expect(decodeFrame(frame)?.body ?? Buffer.of()).toBeInstanceOf(Buffer);
    }),
  );
});

it('reads the strings of every flat document it writes, and something of any other', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  const key = word.filter((text) => text !== '__proto__');
  fc.assert(
    fc.property(fc.dictionary(key, word), fc.uint8Array(), (values, noise) => {
      expect(Object.fromEntries(decodeStrings(encodeKeyValues(values)))).toEqual({ ...values });
      expect(decodeStrings(noise)).toBeInstanceOf(Map);
    }),
  );
});

it('writes nested text with quotes and backslashes escaped', () => {
  expect(encodeVdf({ a: { 'b"c': 'd\\e', n: 7, none: undefined }, list: vdfList(['x', 'y']) })).toBe(
    '"a"\n{\n\t"b\\"c"\t\t"d\\\\e"\n\t"n"\t\t"7"\n}\n"list"\n{\n\t"0"\t\t"x"\n\t"1"\t\t"y"\n}\n',
  );
});
