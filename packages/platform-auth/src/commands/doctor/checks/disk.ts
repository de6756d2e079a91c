import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inBytes } from '@steward/service-kit/text/amounts';
import type { PlatformAuthConfiguration } from '../../../configuration.ts';
import { freeSpace } from '../../../download/disk/free-space.ts';
import { isWhole } from '../../../download/kept/marker.ts';
import { Places } from '../../../download/names/places.ts';
import { isSessionFileName } from '../../../tokens/session-file.ts';
import { errorCode, failed, ok, type Result, warning } from '../check-finding.ts';
import type { Check } from '../examination.ts';

const limitMs = 5_000;
const ofOthers = 0o077;

/** SESSION_DIR, and who else may read what is in it. */
export const sessionDirectoryCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, true> = {
  name: 'session-directory',
  title: 'SESSION_DIR',
  limitMs,
  async examine({ configuration: { SESSION_DIR } }) {
    try {
      return await lookAtSessions(SESSION_DIR);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return notThereYet(SESSION_DIR);
      return failed('disk', `cannot be used (${errorCode(error)})`, ownDirectory);
    }
  },
};

const ownDirectory = 'Give this program a separate directory that its user may write to';

async function lookAtSessions(directory: string): Promise<Result<true>> {
  const status = await stat(directory);
  if (!status.isDirectory()) return failed('disk', 'is not a directory', ownDirectory);
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  const files = (await readdir(directory)).filter(isSessionFileName);
  const modes = await Promise.all(files.map(async (name) => (await stat(join(directory, name))).mode));
  const open = modes.filter((mode) => (mode & ofOthers) !== 0).length;
  if (open > 0)
    return {
      value: true,
      ...failed(
        'disk',
        `${open} of ${files.length} session files are open to other users`,
        'Run `chmod 600` on them. Others may have read them: to be safe, change the password, then run `platform-auth login`',
      ),
    };
  if ((status.mode & ofOthers) !== 0)
    return warning(
      `is open to other users (mode ${(status.mode & 0o777).toString(8)})`,
      'Run `chmod 700` on it; the next save does it, too',
      true,
    );
  return ok(`private, with ${files.length} saved ${files.length === 1 ? 'session' : 'sessions'}`, true);
}

/** The first save makes it, where it may. */
async function notThereYet(directory: string): Promise<Result<true>> {
  try {
    await access(await nearestDirectory(directory), constants.W_OK | constants.X_OK);
    return ok('does not exist yet; the first login creates it', true);
  } catch (error) {
    return failed('disk', `does not exist and cannot be created (${errorCode(error)})`, ownDirectory);
  }
}

const letItWrite = 'Let the user that this program runs as write to it';

/** GAME_DIR, without a byte written to it. */
export const gameDirectoryCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, true> = {
  name: 'game-directory',
  title: 'GAME_DIR',
  limitMs,
  async examine({ configuration: { GAME_DIR, PLATFORM_DOWNLOAD } }) {
    if (PLATFORM_DOWNLOAD === 'off') return broughtByAnother(GAME_DIR);
    try {
      const nearest = await nearestDirectory(GAME_DIR);
      if (!(await stat(nearest)).isDirectory()) return failed('disk', 'is not a directory', letItWrite);
      await access(nearest, constants.W_OK | constants.X_OK);
      return ok(nearest === GAME_DIR ? 'writable' : 'does not exist yet; the download creates it', true);
    } catch (error) {
      const said = `cannot be written to (${errorCode(error)})`;
      // The game starts from where it lies; it only stays as it is.
      if (await isWhole(new Places(GAME_DIR)))
        return warning(
          `${said}; the game in it is complete, and is not updated by this service`,
          orSwitchOff,
          true,
        );
      return failed('disk', said, letItWrite);
    }
  },
};

const orSwitchOff = `Set PLATFORM_DOWNLOAD=off if another service downloads the files. Otherwise: ${letItWrite}`;

/** Read-only is how it should be. */
async function broughtByAnother(directory: string): Promise<Result<true>> {
  try {
    await access(directory, constants.R_OK | constants.X_OK);
    return ok('is only read: PLATFORM_DOWNLOAD is off, and another service downloads the game', true);
  } catch (error) {
    return warning(
      `cannot be read (${errorCode(error)}), and PLATFORM_DOWNLOAD is off: this service creates nothing there`,
      'Mount the directory that the other service downloads into, or remove PLATFORM_DOWNLOAD',
      true,
    );
  }
}

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
  async examine({ configuration: { SESSION_DIR, GAME_DIR, PLATFORM_DOWNLOAD } }) {
    const [sessions, game] = await Promise.all([freeBytes(SESSION_DIR), freeBytes(GAME_DIR)]);
    if (sessions < forSessions)
      return failed(
        'disk',
        `${inBytes(sessions)} are left for SESSION_DIR: no session can be saved`,
        freeSomeSpace,
      );
    if (PLATFORM_DOWNLOAD === 'off') return ok(`${inBytes(sessions)} for SESSION_DIR`, true);
    if (game < forTheGame)
      return warning(
        `${inBytes(game)} are left for GAME_DIR; a download may need ${inBytes(forTheGame)}`,
        freeSomeSpace,
        true,
      );
    return ok(`${inBytes(sessions)} for SESSION_DIR, ${inBytes(game)} for GAME_DIR`, true);
  },
};

const freeSomeSpace = 'Free some space on that disk';

async function freeBytes(path: string): Promise<number> {
  return freeSpace(await nearestDirectory(path));
}

/** The directory itself, or the one above it that is there: where it would be made. */
async function nearestDirectory(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    const parent = dirname(path);
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error;
    return nearestDirectory(parent);
  }
}
