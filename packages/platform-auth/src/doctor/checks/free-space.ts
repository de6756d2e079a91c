import { statfs } from 'node:fs/promises';
import { inBytes } from '@steward/service-kit/command-line/amounts';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import type { Check } from '../examination.ts';
import { failed, ok, warning } from '../finding.ts';
import { nearestDirectory } from './nearest-directory.ts';

const limitMs = 5_000;
const mib = 1024 * 1024;
/** A session is a few kilobytes, and a disk that is nearly full has other troubles first. */
const forSessions = mib;
/** The game without what a server has no use for takes about 600 MB; an update needs room beside it. */
const forTheGame = 1_200 * mib;

/** Whether the disks have room for a session and for the game. */
export const freeSpaceCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, true> = {
  name: 'free-space',
  title: 'Free space',
  limitMs,
  async examine({ configuration: { SESSION_DIR, GAME_DIR } }) {
    const [sessions, game] = await Promise.all([freeBytes(SESSION_DIR), freeBytes(GAME_DIR)]);
    if (sessions < forSessions)
      return failed('disk', `${inBytes(sessions)} are left for SESSION_DIR: no session can be saved`, remedy);
    if (game < forTheGame)
      return warning(
        `${inBytes(game)} are left for GAME_DIR; a download may need ${inBytes(forTheGame)}`,
        remedy,
        true,
      );
    return ok(`${inBytes(sessions)} for SESSION_DIR, ${inBytes(game)} for GAME_DIR`, true);
  },
};

const remedy = 'Free some space on that disk';

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearestDirectory(path));
  return bavail * bsize;
}
