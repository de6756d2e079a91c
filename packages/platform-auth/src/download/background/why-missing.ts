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
  reason: 'The game’s files are not whole, and PLATFORM_DOWNLOAD is off: this service does not bring them',
  remedy:
    'Run `platform-auth download`, let the service that does bring them finish, or take PLATFORM_DOWNLOAD away',
};

/** Of files that are whole. */
export function readOnly(error: unknown): WhyMissing {
  return {
    reason: `GAME_DIR cannot be written to${codeInBrackets(error)}: the game in it is whole, is used as it is, and is not updated from here`,
    remedy: 'Set PLATFORM_DOWNLOAD=off where another service brings the files, or let this one write there',
  };
}

export const lost: WhyMissing = {
  reason: 'The game’s files were whole, and their marker is not there any more',
  remedy: 'The service looks every 5 minutes and completes them; `platform-auth download` does it at once',
};

/** Whatever was thrown, in words that hold no secret. */
export function whyOf(error: unknown): WhyMissing {
  if (error instanceof DownloadProblem) return { reason: error.reason, remedy: error.remedy };
  if (error instanceof PlatformFailure) return { reason: error.failure.reason };
  return { reason: 'The download met an error that nobody foresaw', unforeseen: error };
}
