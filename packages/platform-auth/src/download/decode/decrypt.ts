import { createDecipheriv } from 'node:crypto';
import { DecodeError } from './decode-error.ts';

const blockBytes = 16;

/** The platform's symmetric encryption: a block under AES-256-ECB that is the IV of the rest, which is AES-256-CBC. */
export function decrypt(stored: Uint8Array, key: Uint8Array): Buffer {
  if (stored.length < 2 * blockBytes || stored.length % blockBytes !== 0)
    throw new DecodeError('has a length that encrypted data cannot have');
  const ecb = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const iv = ecb.update(stored.subarray(0, blockBytes));
  // The padding is taken off by hand: letting OpenSSL do it holds back the last block, and joining it copies everything.
  const cbc = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
  const padded = cbc.update(stored.subarray(blockBytes));
  const padding = padded[padded.length - 1] ?? 0;
  const isPadding = padding > 0 && padding <= blockBytes;
  if (!isPadding || padded.subarray(-padding).some((byte) => byte !== padding))
    throw new DecodeError('was not encrypted under this key');
  return padded.subarray(0, -padding);
}
