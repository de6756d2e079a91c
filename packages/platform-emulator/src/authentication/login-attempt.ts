import type { Account } from '../accounts/account.ts';
import type { TokenAudience } from './tokens.ts';

export type LoginState = 'waiting' | 'approved' | 'denied';

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
