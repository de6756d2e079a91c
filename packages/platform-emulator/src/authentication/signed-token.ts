import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';

/** The claims that clients and the platform read; the real ones carry more of the same kind. */
const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.array(z.string()),
  exp: z.number(),
  nbf: z.number(),
  iat: z.number(),
  jti: z.string(),
  gen: z.number(),
});

export type Claims = z.infer<typeof claimsSchema>;

/** What stands before the 32 secret bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** JSON web tokens as the platform signs them (EdDSA), so that a forged or altered one is refused. */
export class TokenSigner {
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  /** The key comes from the seed: tokens outlive a restart of the emulator. */
  constructor(secret: Buffer) {
    const der = Buffer.concat([pkcs8Prefix, secret]);
    this.#privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    this.#publicKey = createPublicKey(this.#privateKey);
  }

  sign(claims: Claims & Record<string, unknown>): string {
    const unsigned = `${part({ typ: 'JWT', alg: 'EdDSA' })}.${part(claims)}`;
    return `${unsigned}.${sign(null, Buffer.from(unsigned), this.#privateKey).toString('base64url')}`;
  }

  /** The claims of a token that was signed here, whether or not it is still good. */
  read(token: string): Claims | undefined {
    const [header, payload, signature, rest] = token.split('.');
    if (header === undefined || payload === undefined || signature === undefined || rest !== undefined)
      return;
    const signed = Buffer.from(`${header}.${payload}`);
    if (!verify(null, signed, this.#publicKey, Buffer.from(signature, 'base64url'))) return;
    const claims = claimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return claims.success ? claims.data : undefined;
  }
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
