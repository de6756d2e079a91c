import type { Secret } from '@steward/service-kit/secret';
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
export interface LoginDesk {
  beginWithPassword(username: string, password: Secret): Promise<LoginAttempt>;
  /** `rotated` is told when the code says something else from then on: the old one is too old to be scanned. */
  beginWithQr(rotated: (challenge: string) => void): Promise<QrAttempt>;
}
