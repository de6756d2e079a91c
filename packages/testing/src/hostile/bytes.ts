import fc from 'fast-check';

/** One change of bytes; numbers are taken modulo what there is. */
interface Damage {
  readonly how: 'change' | 'insert' | 'remove' | 'repeat' | 'cut';
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

const mostDamages = 4;
const longestPiece = 40;

/** Where formats keep lengths and counts, these are the values at their ends. */
const telling = fc.constantFrom(
  Uint8Array.of(0),
  Uint8Array.of(0xff),
  Uint8Array.of(0x7f, 0xff, 0xff, 0xff),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
  Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0),
);

const damage: fc.Arbitrary<Damage> = fc.record({
  how: fc.constantFrom('change', 'insert', 'remove', 'repeat', 'cut'),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: longestPiece }),
  bytes: fc.oneof(telling, fc.uint8Array({ minLength: 1, maxLength: 8 })),
});

/** A valid sample with a few changes: a byte here, a piece there, an end that is missing. */
export function damaged(sample: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Buffer<ArrayBuffer>> {
  return fc
    .tuple(sample, fc.array(damage, { minLength: 1, maxLength: mostDamages }))
    .map(([whole, damages]) => damages.reduce(apply, Buffer.from(whole)));
}

/** Bytes that nobody made for anything. */
export function garbage(maxLength = 300): fc.Arbitrary<Buffer<ArrayBuffer>> {
  return fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));
}

function apply(whole: Buffer<ArrayBuffer>, { how, at, length, bytes }: Damage): Buffer<ArrayBuffer> {
  const place = whole.length === 0 ? 0 : at % whole.length;
  const before = whole.subarray(0, place);
  const piece = whole.subarray(place, place + length);
  switch (how) {
    case 'change':
      return Buffer.concat([before, bytes, whole.subarray(place + bytes.length)]);
    case 'insert':
      return Buffer.concat([before, bytes, whole.subarray(place)]);
    case 'remove':
      return Buffer.concat([before, whole.subarray(place + length)]);
    case 'repeat':
      return Buffer.concat([before, piece, piece, whole.subarray(place + length)]);
    case 'cut':
      return Buffer.from(before);
  }
}
