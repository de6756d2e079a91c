import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import { isSessionFileName } from '../../tokens/session-file.ts';
import type { Check } from '../examination.ts';
import { failed, ok, type Result, warning } from '../finding.ts';
import { errorCode } from '../what-went-wrong.ts';
import { nearestDirectory } from './nearest-directory.ts';

const limitMs = 5_000;
const ofOthers = 0o077;

/** SESSION_DIR, looked at before anything reads a session: reading one closes its file to others. */
export const sessionDirectoryCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, true> = {
  name: 'session-directory',
  title: 'SESSION_DIR',
  limitMs,
  async examine({ configuration: { SESSION_DIR } }) {
    try {
      return await look(SESSION_DIR);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return absent(SESSION_DIR);
      return failed('disk', `cannot be used (${errorCode(error)})`, owner);
    }
  },
};

const owner = 'Give this program a directory of its own that its user may write to';

async function look(directory: string): Promise<Result<true>> {
  const status = await stat(directory);
  if (!status.isDirectory()) return failed('disk', 'is not a directory', owner);
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
        'Run `chmod 600` on them; what others may have read is safest replaced: change the password, then `platform-auth login`',
      ),
    };
  if ((status.mode & ofOthers) !== 0)
    return warning(
      `is open to other users (mode ${(status.mode & 0o777).toString(8)})`,
      'Run `chmod 700` on it; the next save does it, too',
      true,
    );
  return ok(
    `for its owner alone, with ${files.length} saved ${files.length === 1 ? 'session' : 'sessions'}`,
    true,
  );
}

/** The first save makes it, where it may. */
async function absent(directory: string): Promise<Result<true>> {
  try {
    await access(await nearestDirectory(directory), constants.W_OK | constants.X_OK);
    return ok('not there yet; the first login makes it', true);
  } catch (error) {
    return failed('disk', `is not there and cannot be made (${errorCode(error)})`, owner);
  }
}
