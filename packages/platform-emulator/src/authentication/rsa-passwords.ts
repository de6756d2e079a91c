import { constants, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto';

const modulusBits = 2048;

/** The key pair under which clients send passwords (RSA, PKCS #1 v1.5); made when the first client asks. */
export class RsaPasswords {
  #pair: { publicKey: KeyObject; privateKey: KeyObject } | undefined;

  /** Modulus and exponent in hexadecimal, as the wire wants them. */
  publicKey(): { modulus: string; exponent: string } {
    const { n = '', e = '' } = this.#keys().publicKey.export({ format: 'jwk' });
    return {
      modulus: Buffer.from(n, 'base64url').toString('hex'),
      exponent: Buffer.from(e, 'base64url').toString('hex'),
    };
  }

  /** Undefined when it was not encrypted with this key. */
  decrypt(base64: string): string | undefined {
    const encrypted = Buffer.from(base64, 'base64');
    if (encrypted.length !== modulusBits / 8) return undefined;
    // Node refuses to strip this padding itself (it guards against timing oracles), so it is taken off here.
    const padded = privateDecrypt(
      { key: this.#keys().privateKey, padding: constants.RSA_NO_PADDING },
      encrypted,
    );
    const end = padded.indexOf(0, 2);
    if (padded[0] !== 0 || padded[1] !== 2 || end < 0) return undefined;
    return padded.subarray(end + 1).toString('utf8');
  }

  #keys(): { publicKey: KeyObject; privateKey: KeyObject } {
    this.#pair ??= generateKeyPairSync('rsa', { modulusLength: modulusBits });
    return this.#pair;
  }
}
