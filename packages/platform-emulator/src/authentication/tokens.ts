import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { Account } from '../accounts/accounts.ts';
import type { Randomness } from '../randomness.ts';
import { eresult } from '../wire/numbers.ts';

/** Near expiry is what the real platform does; the others let a test have its renewal, or none, at once. */
export type RenewalPolicy = 'near-expiry' | 'always' | 'never';

const daySeconds = 86_400;
/** Tokens typically last 200 days; an access token one. */
const refreshTokenDays = 200;
const accessTokenDays = 1;
const machineTokenDays = 365;
/** The real platform renews a token only when its end is near; how near, nobody has published. */
const nearExpiryDays = 30;

/** Where a login came from decides what its token opens: only `client` may log on at the connection manager. */
export type TokenAudience = 'client' | 'web' | 'mobile';

export interface RefreshTokenOptions {
  readonly audience?: TokenAudience;
  /** Negative for one that has expired already. */
  readonly lifetimeDays?: number;
}

/** Every token that the platform hands out, and which of them it has taken back. */
export class Tokens {
  readonly #signer: TokenSigner;
  readonly #randomness: Randomness;
  readonly #now: () => number;
  readonly #revoked = new Set<string>();
  // How often an account has taken back all its tokens; each token says which of these times it is from.
  readonly #generations = new Map<string, number>();

  constructor(randomness: Randomness, now: () => number) {
    this.#signer = new TokenSigner(randomness.key('token signing key'));
    this.#randomness = randomness;
    this.#now = now;
  }

  refreshToken(account: Account, options: RefreshTokenOptions = {}): string {
    const audience = options.audience ?? 'client';
    const opens = audience === 'web' ? ['web'] : [audience, 'web'];
    return this.#issue(
      'steam',
      account,
      [...opens, 'renew', 'derive'],
      options.lifetimeDays ?? refreshTokenDays,
    );
  }

  /** Subordinate to the refresh token: its issuer names that token, its audience lacks `renew` and `derive`. */
  accessToken(account: Account, parent: Claims): string {
    const audience = parent.aud.filter((word) => word !== 'renew' && word !== 'derive');
    return this.#issue(`r:${parent.jti}`, account, audience, accessTokenDays);
  }

  machineToken(account: Account): string {
    return this.#issue('steam', account, ['machine'], machineTokenDays);
  }

  read(token: string): Claims | undefined {
    return this.#signer.read(token);
  }

  /** The EResult that a refresh token earns: Expired, AccessDenied when revoked, InvalidPassword when it is none of ours. */
  judge(token: string | undefined, audience?: TokenAudience): { claims: Claims } | { eresult: number } {
    const claims = token === undefined ? undefined : this.read(token);
    if (claims === undefined || claims.iss !== 'steam' || !claims.aud.includes('derive')) {
      return { eresult: eresult.invalidPassword };
    }
    if (audience !== undefined && !claims.aud.includes(audience)) return { eresult: eresult.invalidPassword };
    if (this.isExpired(claims)) return { eresult: eresult.expired };
    if (this.#isRevoked(claims)) return { eresult: eresult.accessDenied };
    return { claims };
  }

  isExpired(claims: Claims): boolean {
    return claims.exp <= this.#seconds();
  }

  isNearExpiry(claims: Claims): boolean {
    return claims.exp - this.#seconds() < nearExpiryDays * daySeconds;
  }

  revoke(token: string): void {
    const claims = this.read(token);
    if (claims === undefined) throw new Error('only a token of this platform can be revoked');
    this.#revoked.add(claims.jti);
  }

  /** As a changed password does: every token issued until now. */
  revokeAll(account: Account): void {
    this.#generations.set(account.steamId, this.#generation(account.steamId) + 1);
  }

  #generation(steamId: string): number {
    return this.#generations.get(steamId) ?? 0;
  }

  #isRevoked(claims: Claims): boolean {
    return this.#revoked.has(claims.jti) || claims.gen < this.#generation(claims.sub);
  }

  #issue(issuer: string, account: Account, audience: string[], lifetimeDays: number): string {
    const now = this.#seconds();
    return this.#signer.sign({
      iss: issuer,
      sub: account.steamId,
      aud: audience,
      exp: now + Math.round(lifetimeDays * daySeconds),
      nbf: now - daySeconds,
      iat: now,
      oat: now,
      // The time keeps ids apart that two runs draw from one seed.
      jti: `${now.toString(16)}_${this.#randomness.bytes(8).toString('hex')}`,
      gen: this.#generation(account.steamId),
      per: 1,
      ip_subject: '127.0.0.1',
      ip_confirmer: '127.0.0.1',
    });
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }
}

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

type Claims = z.infer<typeof claimsSchema>;

/** What stands before the 32 secret bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** JSON web tokens as the platform signs them (EdDSA), so that a forged or altered one is refused. */
class TokenSigner {
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
