import type { RenewalPolicy } from '@steward/platform-emulator/authentication/tokens';
import type { EarlierRun } from '@steward/platform-emulator/platform-options';

export const gameApp = 413_150;

/** What the platform's process is told at each start. */
export interface PlatformRun {
  readonly seed: string;
  readonly account: string;
  readonly password: string;
  readonly ticketPauseMs: number;
  readonly renewal: RenewalPolicy;
  readonly continuing: EarlierRun;
}
