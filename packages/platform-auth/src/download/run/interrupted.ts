import { inDiskWords } from '../disk/disk-problem.ts';
import { type DiskSteps, diskSteps } from '../disk/disk-steps.ts';
import { takeLock } from '../disk/lock.ts';
import { checkOwnPlaces, prepareGameDirectory } from '../disk/prepare.ts';
import { readJournal } from '../kept/journal.ts';
import { refuseNewer } from '../kept/refuse-newer.ts';
import type { Places } from '../names/places.ts';
import { rollForward } from '../publish/roll-forward.ts';

/**
 * Completes what a run that died in the middle of publishing has begun. Needs no platform: the files are all there. True when
 * there was something to complete.
 */
export async function completeInterrupted(
  places: Places,
  command: string,
  now: () => Date,
  steps: DiskSteps = diskSteps,
): Promise<boolean> {
  return inDiskWords(async () => {
    await checkOwnPlaces(places);
    await refuseNewer(places);
    if ((await readJournal(places)) === undefined) return false;
    await using _lock = await takeLock(places, command, now);
    await recover(places, steps, () => {}, justRun);
    return true;
  });
}

/** Carries out what is not to be broken off: until it is done, no game can start. */
export type Unbroken = (work: () => Promise<void>) => Promise<void>;

/** For whoever breaks nothing off. */
export const justRun: Unbroken = (work) => work();

export interface HoldParts {
  readonly now: () => Date;
  readonly command: string;
  readonly pid?: number | undefined;
  readonly steps?: DiskSteps | undefined;
  /** Told when there is something to complete. */
  readonly recovering: () => void;
  /** Completes it. */
  readonly unbroken?: Unbroken | undefined;
}

/** Makes GAME_DIR this run's alone, and completes what another has begun. Needs no platform, so it comes before a login is spent. */
export async function holdDirectory(
  places: Places,
  { now, command, pid, steps = diskSteps, recovering, unbroken = justRun }: HoldParts,
): Promise<AsyncDisposable> {
  return inDiskWords(async () => {
    await prepareGameDirectory(places, steps);
    await using stack = new AsyncDisposableStack();
    stack.use(await takeLock(places, command, now, pid));
    await refuseNewer(places);
    await recover(places, steps, recovering, unbroken);
    return stack.move();
  });
}

/** For who has the lock already. */
async function recover(
  places: Places,
  steps: DiskSteps,
  begins: () => void,
  unbroken: Unbroken,
): Promise<void> {
  const journal = await readJournal(places);
  if (journal === undefined) return;
  begins();
  await unbroken(() => rollForward(places, steps, journal));
}
