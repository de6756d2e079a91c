import type { Account } from '../accounts/accounts.ts';
import type { Randomness } from '../randomness.ts';
import type { TokenAudience } from './tokens.ts';

type LoginState = 'waiting' | 'approved' | 'denied';

/** A login that has begun and not ended, whether by password or by QR code. */
export interface LoginAttempt {
  readonly kind: 'password' | 'qr';
  /** Decimal; a QR code's changes when it rotates. */
  clientId: string;
  /** Only the one who began knows it, and must show it to poll. */
  readonly requestId: Buffer;
  readonly startedAt: number;
  readonly audience: TokenAudience;
  readonly deviceName: string;
  /** For a QR code only once somebody's device has scanned it. */
  account: Account | undefined;
  state: LoginState;
  /** Somebody has looked at it on another device. */
  remoteInteraction: boolean;
  /** A QR code that must be drawn anew, and has not been handed out yet. */
  rotated: boolean;
  /** An e-mail code was right: the machine is remembered. */
  remembersMachine: boolean;
}

export const challengeVersion = 1;

export function challengeUrl(clientId: string): string {
  return `https://s.team/q/${challengeVersion}/${clientId}`;
}

/** CAuthentication_DeviceDetails, in steammessages_auth.steamclient.proto. */
export interface DeviceDetails {
  device_friendly_name?: string;
  platform_type?: number;
}

/** EAuthTokenPlatformType: the kind of client that logs in, and with it what its token opens. */
const audiences: Readonly<Record<number, TokenAudience>> = { 1: 'client', 2: 'web', 3: 'mobile' };

export function requestedAudience(details: DeviceDetails = {}): {
  audience: TokenAudience;
  deviceName: string;
} {
  return {
    audience: audiences[details.platform_type ?? 0] ?? 'web',
    deviceName: details.device_friendly_name ?? '',
  };
}

/** A login that nobody finishes is forgotten; the real platform does so after some minutes. */
const attemptLifetimeMs = 10 * 60_000;

/** All logins under way, and what the people on the other side of them do. */
export class LoginAttempts {
  readonly #byClientId = new Map<string, LoginAttempt>();
  readonly #randomness: Randomness;
  readonly #now: () => number;

  constructor(randomness: Randomness, now: () => number) {
    this.#randomness = randomness;
    this.#now = now;
  }

  begin(login: Pick<LoginAttempt, 'kind' | 'audience' | 'deviceName' | 'account'>): LoginAttempt {
    const attempt: LoginAttempt = {
      ...login,
      clientId: this.#randomness.id(),
      requestId: this.#randomness.bytes(16),
      startedAt: this.#now(),
      state: 'waiting',
      remoteInteraction: false,
      rotated: false,
      remembersMachine: false,
    };
    this.#byClientId.set(attempt.clientId, attempt);
    return attempt;
  }

  find(clientId: string | undefined): LoginAttempt | undefined {
    return clientId === undefined ? undefined : this.#byClientId.get(clientId);
  }

  /** What a device finds behind a code: nothing once the code has been replaced or has become too old. */
  scan(clientId: string | undefined): LoginAttempt | undefined {
    const attempt = this.find(clientId);
    if (attempt === undefined || attempt.clientId !== clientId || this.isExpired(attempt)) return undefined;
    return attempt;
  }

  isExpired(attempt: LoginAttempt): boolean {
    return this.#now() - attempt.startedAt >= attemptLifetimeMs;
  }

  end(attempt: LoginAttempt): void {
    for (const [clientId, other] of this.#byClientId) {
      if (other === attempt) this.#byClientId.delete(clientId);
    }
  }

  /** Approves every login that waits for this account, and every QR code that is open: its owner scans and says yes. */
  approve(account: Account): number {
    return this.#decide(account, 'approved');
  }

  deny(account: Account): number {
    return this.#decide(account, 'denied');
  }

  /** The owner has seen the request on their device and has not answered yet. */
  look(account: Account): number {
    return this.#decide(account, 'waiting');
  }

  /** Every open QR code becomes too old to scan; its next poll tells the new one. */
  rotateQr(): number {
    const open = this.#open().filter((attempt) => attempt.kind === 'qr');
    for (const attempt of open) {
      attempt.clientId = this.#randomness.id();
      attempt.rotated = true;
      // The old id stays valid for polling: the client does not know the new one yet.
      this.#byClientId.set(attempt.clientId, attempt);
    }
    return open.length;
  }

  #decide(account: Account, state: LoginAttempt['state']): number {
    const theirs = this.#open().filter(
      (attempt) => attempt.account === account || attempt.account === undefined,
    );
    for (const attempt of theirs) {
      attempt.account = account;
      attempt.state = state;
      attempt.remoteInteraction = true;
    }
    return theirs.length;
  }

  #open(): readonly LoginAttempt[] {
    return [...new Set(this.#byClientId.values())].filter((attempt) => attempt.state === 'waiting');
  }
}
