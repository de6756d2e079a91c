import { createCipheriv, createHash } from 'node:crypto';

const ivLength = 16;

/**
 * The platform's symmetric encryption: the IV under AES-256-ECB, then the data under AES-256-CBC (docs/platform-emulator.md, wire: chunks).
 * The IV comes from the data, so that the same seed always gives the same bytes.
 */
export function encryptSymmetric(plain: Buffer, key: Buffer): Buffer {
  const iv = createHash('sha1').update(key).update(plain).digest().subarray(0, ivLength);
  const ecb = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const cbc = createCipheriv('aes-256-cbc', key, iv);
  return Buffer.concat([ecb.update(iv), ecb.final(), cbc.update(plain), cbc.final()]);
}

/** What manifests hold in place of a name when names are encrypted: base64 of the NUL-terminated name. */
export function encryptName(name: string, key: Buffer): string {
  return encryptSymmetric(Buffer.from(`${name}\0`, 'utf8'), key).toString('base64');
}
