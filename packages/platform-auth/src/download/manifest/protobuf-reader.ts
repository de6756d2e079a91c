const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;
const fixed32 = 5;
/** Seven bits a byte, 64 in all. */
const longestVarint = 10;

/** Bytes that are no message; which message is the reader's user's to say. */
export class ProtobufError extends Error {}

/** One field of a message: numbers as bigint, for 64 bits must survive; texts and messages as a view of the bytes. */
export interface Field {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/** The fields of a message in their order, unknown ones included. Nothing is copied. */
export function* fieldsOf(bytes: Buffer): Generator<Field> {
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const tag = readVarint(cursor);
    const number = Number(tag >> 3n);
    yield { number, value: readValue(cursor, Number(tag & 7n)) };
  }
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

function readValue(cursor: Cursor, wireType: number): bigint | Buffer {
  if (wireType === varint) return readVarint(cursor);
  if (wireType === lengthDelimited) return take(cursor, readVarint(cursor));
  if (wireType === fixed32) return BigInt(take(cursor, 4n).readUInt32LE());
  if (wireType === fixed64) return take(cursor, 8n).readBigUInt64LE();
  throw new ProtobufError(`wire type ${wireType}`);
}

function take(cursor: Cursor, length: bigint): Buffer {
  if (length > BigInt(cursor.bytes.length - cursor.at)) throw new ProtobufError('a field beyond the end');
  const start = cursor.at;
  cursor.at += Number(length);
  return cursor.bytes.subarray(start, cursor.at);
}

function readVarint(cursor: Cursor): bigint {
  // Nearly all fit into what a number shifts without loss.
  let low = 0;
  let high = 0n;
  for (let index = 0; index < longestVarint; index++) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw new ProtobufError('a number beyond the end');
    cursor.at += 1;
    if (index < 4) low |= (byte & 0x7f) << (7 * index);
    else high |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return BigInt.asUintN(64, high | BigInt(low));
  }
  throw new ProtobufError('a number of too many bytes');
}
