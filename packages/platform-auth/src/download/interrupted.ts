import { inDiskWords } from './tree/disk-problem.ts';
import { type DiskSteps, diskSteps } from './tree/disk-steps.ts';
import { readJournal } from './tree/journal.ts';
import { takeLock } from './tree/lock.ts';
import type { Places } from './tree/places.ts';
import { checkOwnPlaces } from './tree/prepare.ts';
import { refuseNewer } from './tree/refuse-newer.ts';
import { rollForward } from './tree/roll-forward.ts';

/**
 * Completes what a run that died in the middle of publishing has begun. Needs no platform: the files are all there. True when
 * there was something to complete.
 */
export async function completeInterrupted(
  places: Places,
  command: string,
  now: () => Date,
): Promise<boolean> {
  return inDiskWords(async () => {
    await checkOwnPlaces(places);
    await refuseNewer(places);
    if ((await readJournal(places)) === undefined) return false;
    await using _lock = await takeLock(places, command, now);
    await recover(places, diskSteps, () => {});
    return true;
  });
}

/** The same for who has the lock already. */
export async function recover(places: Places, steps: DiskSteps, begins: () => void): Promise<void> {
  const journal = await readJournal(places);
  if (journal === undefined) return;
  begins();
  await rollForward(places, steps, journal);
}
