import type { Account } from '../accounts/account.ts';
import type { Randomness } from '../randomness.ts';
import { eresult } from '../wire/eresult.ts';
import { type Claims, TokenSigner } from './signed-token.ts';

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
