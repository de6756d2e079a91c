import { createCipheriv, createDecipheriv } from 'node:crypto';

/** The two kinds of field that a ticket's envelope uses: a 32-bit number and bytes. */
export type Field = { readonly number: number } | { readonly bytes: Buffer };

const varintKind = 0;
const bytesKind = 2;
const continues = 0x80;

/** The fields by their number. Undefined when the message is cut short or holds another kind of field. */
export function readFields(message: Buffer): Map<number, Field> | undefined {
  const fields = new Map<number, Field>();
  let offset = 0;
  const varint = (): number | undefined => {
    let value = 0;
    for (let factor = 1; factor < 2 ** 35; factor *= continues) {
      const byte = message[offset++];
      if (byte === undefined) return undefined;
      value += (byte % continues) * factor;
      if (byte < continues) return value;
    }
    return undefined;
  };
  while (offset < message.length) {
    const tag = varint();
    const value = varint();
    if (tag === undefined || value === undefined) return undefined;
    if (tag % 8 === varintKind) {
      fields.set(tag >> 3, { number: value });
    } else if (tag % 8 === bytesKind && offset + value <= message.length) {
      fields.set(tag >> 3, { bytes: message.subarray(offset, offset + value) });
      offset += value;
    } else {
      return undefined;
    }
  }
  return fields;
}

export function writeFields(fields: ReadonlyMap<number, Field>): Buffer {
  const parts: Buffer[] = [];
  for (const [number, field] of fields) {
    if ('number' in field) parts.push(varint(number * 8 + varintKind), varint(field.number));
    else parts.push(varint(number * 8 + bytesKind), varint(field.bytes.length), field.bytes);
  }
  return Buffer.concat(parts);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= continues; rest = Math.floor(rest / continues)) bytes.push((rest % continues) + continues);
  bytes.push(rest);
  return Buffer.from(bytes);
}

// The initialisation vector stands before the data, itself encrypted as a single block.
const vectorBytes = 16;

export function encryptTicket(plain: Buffer, key: Buffer, vector: Buffer): Buffer {
  const block = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const chain = createCipheriv('aes-256-cbc', key, vector);
  return Buffer.concat([block.update(vector), block.final(), chain.update(plain), chain.final()]);
}

/** Undefined when the key is another one, or the data are no ticket at all. */
export function decryptTicket(encrypted: Buffer, key: Buffer): Buffer | undefined {
  try {
    const block = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    const vector = Buffer.concat([block.update(encrypted.subarray(0, vectorBytes)), block.final()]);
    const chain = createDecipheriv('aes-256-cbc', key, vector);
    return Buffer.concat([chain.update(encrypted.subarray(vectorBytes)), chain.final()]);
  } catch {
    return undefined;
  }
}
