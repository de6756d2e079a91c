import { codeInBrackets } from '@steward/service-kit/process/errors';
import type { Trouble } from '@steward/shared/problems/trouble';
import { PlatformFailure } from '../../platform/failure.ts';
import { lookAt } from '../disk/real-tree.ts';
import { readMarker } from '../kept/marker.ts';
import type { Places } from '../names/places.ts';
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

/** Of files that are whole, too: a game may run from them, so only a person says when they change. */
export const existingServers: WhyMissing = {
  reason:
    'The existing server’s own downloader has brought the game’s files: they are used as they are, and this service does not update them',
  remedy:
    'Nothing to do. To verify and update them, stop the game, run `platform-auth download`, and start the game',
};

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

/** What a failed update has left of the files, for the log: with a journal it is decided, and no marker is there until all of it is done. */
export async function filesAfter(places: Places): Promise<string> {
  const isDecided = await lookAt(places.journal).then(
    (found) => found !== undefined,
    () => true,
  );
  if (!isDecided) return 'They have not changed';
  return (await readMarker(places)) === undefined
    ? 'Some of them are new: the game cannot start until the update is completed. The service tries again by itself'
    : 'The game can start, but the update is not completed: POST /download/publish completes it';
}
