import { constants, generateKeyPairSync, type KeyPairKeyObjectResult, privateDecrypt } from 'node:crypto';

const modulusBytes = 256;

/** One for all platforms of a process: making it takes longer than all else that a start does. */
let pair: KeyPairKeyObjectResult | undefined;

/** The key pair under which clients send passwords (RSA, PKCS #1 v1.5); made when the first client asks. */
export class RsaPasswords {
  /** Modulus and exponent in hexadecimal, as the wire wants them. */
  publicKey(): { modulus: string; exponent: string } {
    const { n = '', e = '' } = keys().publicKey.export({ format: 'jwk' });
    return {
      modulus: Buffer.from(n, 'base64url').toString('hex'),
      exponent: Buffer.from(e, 'base64url').toString('hex'),
    };
  }

  /** Undefined when it was not encrypted with this key. */
  decrypt(base64: string): string | undefined {
    const encrypted = Buffer.from(base64, 'base64');
    if (encrypted.length > modulusBytes) return undefined;
    // Clients send the cipher as a number, without its leading zeros: one in 256 is shorter than the key.
    const padded = this.#raw(Buffer.concat([Buffer.alloc(modulusBytes - encrypted.length), encrypted]));
    const end = padded?.indexOf(0, 2) ?? -1;
    if (padded === undefined || padded[0] !== 0 || padded[1] !== 2 || end < 0) return undefined;
    return padded.subarray(end + 1).toString('utf8');
  }

  /** Node refuses to strip this padding itself (it guards against timing oracles), so it is taken off by hand. */
  #raw(encrypted: Buffer): Buffer | undefined {
    try {
      return privateDecrypt({ key: keys().privateKey, padding: constants.RSA_NO_PADDING }, encrypted);
    } catch {
      // A number beyond the modulus.
      return undefined;
    }
  }
}

function keys(): KeyPairKeyObjectResult {
  pair ??= generateKeyPairSync('rsa', { modulusLength: modulusBytes * 8 });
  return pair;
}
