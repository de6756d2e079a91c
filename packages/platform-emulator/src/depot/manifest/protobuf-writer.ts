const varint = 0;
const lengthDelimited = 2;
const fixed32 = 5;

/** Writes the few protobuf wire types that a manifest is made of. */
export class ProtobufWriter {
  readonly #parts: Buffer[] = [];

  integer(field: number, value: number | bigint): this {
    this.#parts.push(tag(field, varint), encodeVarint(value));
    return this;
  }

  fixed32(field: number, value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.#parts.push(tag(field, fixed32), bytes);
    return this;
  }

  bytes(field: number, value: Buffer): this {
    this.#parts.push(tag(field, lengthDelimited), encodeVarint(value.length), value);
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function tag(field: number, wireType: number): Buffer {
  return encodeVarint((field << 3) | wireType);
}

function encodeVarint(value: number | bigint): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
