import { join } from 'node:path';
import { type LockTaken, takeProcessLock } from '@steward/service-kit/files/process-lock';
import type { Log } from '@steward/service-kit/log/logger';
import { OperatorError } from '@steward/service-kit/process/errors';
import { isReadOnly } from './state-directory.ts';

export interface StateLockParts {
  readonly directory: string;
  /** What the process does, for whoever comes second. */
  readonly command: string;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Makes this process the only one that works on a STATE_DIR: two would each overwrite what the other has kept. Undefined where the
 * directory is read-only: what SQLite calls a lock there keeps nobody out.
 */
export async function takeStateLock({
  directory,
  command,
  now,
  log,
}: StateLockParts): Promise<AsyncDisposable | undefined> {
  if (await isReadOnly(directory)) return undefined;
  const files = { lock: join(directory, 'steward.lock'), holder: join(directory, 'steward.holder.json') };
  let taken: LockTaken;
  try {
    taken = await takeProcessLock(files, { command, now });
  } catch (error) {
    log.warn(
      {
        err: error,
        path: files.lock,
        remedy: 'Let the service write that file, and put STATE_DIR on a file system with locks',
      },
      'STATE_DIR cannot be locked: nothing would prevent a second process from using it',
    );
    return { [Symbol.asyncDispose]: async () => {} };
  }
  if (taken.kind === 'held') {
    const { by } = taken;
    const who =
      by === undefined
        ? 'another process'
        : `\`control-api ${by.command}\` on ${by.host} (process ${by.pid}), since ${by.since}`;
    throw new OperatorError(
      `STATE_DIR: ${directory} is in use by ${who}: stop that one, or give this one its own STATE_DIR`,
    );
  }
  const { release } = taken;
  return { [Symbol.asyncDispose]: release };
}
