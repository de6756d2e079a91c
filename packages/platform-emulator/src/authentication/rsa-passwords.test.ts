import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto';
import { expect, it } from 'vitest';
import { RsaPasswords } from './rsa-passwords.ts';

// One cipher in 256 begins with a zero byte: that none of these does is next to impossible.
const attempts = 8192;

function clientKey(passwords: RsaPasswords): KeyObject {
  const { modulus, exponent } = passwords.publicKey();
  const jwk = {
    kty: 'RSA',
    n: Buffer.from(modulus, 'hex').toString('base64url'),
    e: Buffer.from(exponent, 'hex').toString('base64url'),
  };
  return createPublicKey({ key: jwk, format: 'jwk' });
}

function encrypt(key: KeyObject, password: string): Buffer {
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(password));
}

it('reads a password whose cipher lost its leading zero on the way', () => {
  const passwords = new RsaPasswords();
  const key = clientKey(passwords);
  const ciphers = Array.from({ length: attempts }, () => encrypt(key, 'pässword'));
  const short = ciphers.find((cipher) => cipher[0] === 0)?.subarray(1);
  expect(short?.length).toBe(255);
  expect(passwords.decrypt(short?.toString('base64') ?? '')).toBe('pässword');
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['a number beyond the modulus', Buffer.alloc(256, 0xff)],
  ['too many bytes', Buffer.alloc(257, 1)],
  ['a number that nobody encrypted', Buffer.alloc(256, 1)],
])('takes %s for no password', (_what, cipher) => {
  expect(new RsaPasswords().decrypt(cipher.toString('base64'))).toBeUndefined();
});
