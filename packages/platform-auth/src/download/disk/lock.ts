import {
  type LockHolder,
  type LockTaken,
  lookAtProcessLock,
  takeProcessLock,
} from '@steward/service-kit/files/process-lock';
import type { Places } from '../names/places.ts';
import { DownloadProblem } from '../problems/problem.ts';

/** Another downloader works on this GAME_DIR. */
export class HeldElsewhere extends DownloadProblem {
  readonly holder: LockHolder | undefined;

  constructor(by: LockHolder | undefined) {
    const who =
      by === undefined
        ? 'another process'
        : `\`platform-auth ${by.command}\` on ${by.host} (process ${by.pid}), since ${by.since}`;
    super('held', `A download into GAME_DIR is running: ${who}`, 'Wait until it is done, or stop it');
    this.name = 'HeldElsewhere';
    this.holder = by;
  }
}

/** Makes this the only downloader of a GAME_DIR, across containers. */
export async function takeLock(
  places: Places,
  command: string,
  now: () => Date,
  pid = process.pid,
): Promise<AsyncDisposable> {
  let taken: LockTaken;
  try {
    taken = await takeProcessLock(places, { command, now, pid });
  } catch (error) {
    throw new DownloadProblem(
      'disk',
      `GAME_DIR cannot be locked (${error instanceof Error ? error.message : String(error)})`,
      'It must be writable, and on a file system with locks: a local disk, a volume, or NFS with its lock service',
      { cause: error },
    );
  }
  if (taken.kind === 'held') throw new HeldElsewhere(taken.by);
  return { [Symbol.asyncDispose]: taken.release };
}

/** Whether somebody downloads now. */
export async function whoHolds(places: Places): Promise<HeldElsewhere | undefined> {
  const held = await lookAtProcessLock(places);
  return held === undefined ? undefined : new HeldElsewhere(held.by);
}
