import { codeInBrackets } from '@steward/service-kit/process/errors';
import type { Trouble } from '@steward/shared/problems/trouble';
import { PlatformFailure } from '../../platform/failure.ts';
import { DownloadProblem } from '../problems/problem.ts';

/** Why the files are missing still. */
export interface WhyMissing extends Trouble {
  /** For the log alone. */
  readonly unforeseen?: unknown;
}

export const notBegun: WhyMissing = {
  reason: 'The game’s files have not been downloaded, and there is no platform session',
};

export const switchedOff: WhyMissing = {
  reason:
    'The game’s files are incomplete, and PLATFORM_DOWNLOAD is off: this service does not download them',
  remedy:
    'Run `platform-auth download`, let the service that downloads them finish, or remove PLATFORM_DOWNLOAD',
};

/** Of files that are whole. */
export function readOnly(error: unknown): WhyMissing {
  return {
    reason: `GAME_DIR cannot be written to${codeInBrackets(error)}: the game in it is complete and is used, but not updated by this service`,
    remedy: 'Set PLATFORM_DOWNLOAD=off if another service downloads the files, or let this one write there',
  };
}

export const lost: WhyMissing = {
  reason: 'The game’s files were complete, but their marker is gone',
  remedy: 'The service checks every 5 minutes and completes them; `platform-auth download` does it at once',
};

/** Whatever was thrown, in words that hold no secret. */
export function whyOf(error: unknown): WhyMissing {
  if (error instanceof DownloadProblem) return { reason: error.reason, remedy: error.remedy };
  if (error instanceof PlatformFailure) return { reason: error.failure.reason };
  return { reason: 'The download failed with an unexpected error', unforeseen: error };
}
