import type { Clock } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import { withDeadline } from './deadline.ts';
import { PlatformFailure } from './failure.ts';
import type { AccountToken } from './platform-session.ts';

/** What an account may want besides its password; any one of those that it names will do. */
export type Guard =
  | { readonly kind: 'device-code' | 'device-confirmation' | 'email-confirmation' }
  /** `detail` is the part of the address that the platform shows. */
  | { readonly kind: 'email-code'; readonly detail: string | undefined };

/** A login that has begun. Whatever goes wrong with it is a PlatformFailure. */
export interface LoginAttempt {
  /** Empty when the password was enough. */
  readonly guards: readonly Guard[];
  /** Resolves once the platform lets the account in, with the name that it knows the account by. */
  readonly finished: Promise<AccountToken>;
  /** Resolves when somebody has opened the request on another device, where it waits for a yes. */
  readonly opened: Promise<void>;
  /** False when the code is wrong and another one may be tried. */
  submitCode(code: string): Promise<boolean>;
  /** Ends it, finished or not. */
  cancel(): void;
}

export interface QrAttempt {
  /** What the code says now. */
  readonly challenge: string;
  readonly finished: Promise<AccountToken>;
  readonly opened: Promise<void>;
  cancel(): void;
}

/** The ways in for a person. */
export interface LoginMethods {
  beginWithPassword(username: string, password: Secret): Promise<LoginAttempt>;
  /** `rotated` is told when the code says something else from then on: the old one is too old to be scanned. */
  beginWithQr(rotated: (challenge: string) => void): Promise<QrAttempt>;
}

/** From the platform's yes to the token; the platform asks to be polled every few seconds. */
const tokenLimitMs = 30_000;

/** Logs in with a password where nobody sits who could type a code or press a button. */
export async function logInWithPassword(
  methods: LoginMethods,
  username: string,
  password: Secret,
  clock: Clock,
): Promise<AccountToken> {
  const attempt = await methods.beginWithPassword(username, password);
  try {
    if (attempt.guards.length > 0) throw guarded;
    return await withDeadline(attempt.finished, tokenLimitMs, 'the password login', clock);
  } finally {
    attempt.cancel();
  }
}

const guarded = new PlatformFailure({
  class: 'dead-credential',
  reason: 'The account has a second factor, so a password is not enough',
  remedy: 'Run `platform-auth login` in a terminal: it asks for the code and saves a session',
  wantsTerminal: true,
});
