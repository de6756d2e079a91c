import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import type { Check } from '../examination.ts';
import { failed, ok } from '../finding.ts';
import { errorCode } from '../what-went-wrong.ts';
import { nearestDirectory } from './nearest-directory.ts';

const limitMs = 5_000;
const remedy = 'Let the user that this program runs as write to it';

/** GAME_DIR, without a byte written to it. */
export const gameDirectoryCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, true> = {
  name: 'game-directory',
  title: 'GAME_DIR',
  limitMs,
  async examine({ configuration: { GAME_DIR } }) {
    try {
      const nearest = await nearestDirectory(GAME_DIR);
      if (!(await stat(nearest)).isDirectory()) return failed('disk', 'is not a directory', remedy);
      await access(nearest, constants.W_OK | constants.X_OK);
      return ok(nearest === GAME_DIR ? 'can be written to' : 'not there yet; the download makes it', true);
    } catch (error) {
      return failed('disk', `cannot be written to (${errorCode(error)})`, remedy);
    }
  },
};
