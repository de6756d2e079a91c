import { carryOut } from './carry-out.ts';
import { compare } from './compare.ts';
import type { DownloadChoice, DownloadParts } from './download-choice.ts';
import type { DownloadSummary } from './download-events.ts';
import { recover } from './interrupted.ts';
import { changesNothing } from './plan/plan.ts';
import { figuresOf } from './plan/plan-figures.ts';
import { inDiskWords } from './tree/disk-problem.ts';
import { diskSteps } from './tree/disk-steps.ts';
import { takeLock } from './tree/lock.ts';
import { Places } from './tree/places.ts';
import { checkOwnPlaces, prepareGameDirectory } from './tree/prepare.ts';
import { refuseNewer } from './tree/refuse-newer.ts';

/** The plan alone. Changes nothing on the disk, not even what an interrupted run has left to do. */
export async function planDownload(
  choice: DownloadChoice,
  parts: Pick<DownloadParts, 'catalogue' | 'events' | 'signal'>,
) {
  const places = new Places(choice.gameDirectory);
  return inDiskWords(async () => {
    await checkOwnPlaces(places);
    await refuseNewer(places);
    const { plan } = await compare(places, choice, parts);
    return figuresOf(plan);
  });
}

/** Brings GAME_DIR to the platform's newest version, whatever state it is in. */
export async function download(choice: DownloadChoice, parts: DownloadParts): Promise<DownloadSummary> {
  const { events, now, command, pid = process.pid, steps = diskSteps } = parts;
  const places = new Places(choice.gameDirectory);
  return inDiskWords(async () => {
    events.stage('locking');
    await prepareGameDirectory(places, steps);
    await using _lock = await takeLock(places, command, now, pid);
    await refuseNewer(places);
    await recover(places, steps, () => events.stage('recovering'));
    const { plan, marker } = await compare(places, choice, parts);
    const summary = { figures: figuresOf(plan), wasThere: changesNothing(plan) };
    events.planned(summary.figures);
    await carryOut(plan, marker, places, choice, parts);
    return summary;
  });
}
