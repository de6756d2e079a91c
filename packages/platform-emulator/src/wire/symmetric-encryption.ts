import { createCipheriv } from 'node:crypto';

export const ivLength = 16;

/** The platform's one cipher form: the IV through AES-256-ECB, then the data through AES-256-CBC. */
export function symmetricEncrypt(plain: Buffer, key: Buffer, iv: Buffer): Buffer {
  const ecb = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const cbc = createCipheriv('aes-256-cbc', key, iv);
  return Buffer.concat([ecb.update(iv), ecb.final(), cbc.update(plain), cbc.final()]);
}
