import { createCipheriv, createDecipheriv } from 'node:crypto';

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
