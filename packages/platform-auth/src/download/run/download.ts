import { inDiskWords } from '../disk/disk-problem.ts';
import { freeSpace } from '../disk/free-space.ts';
import { checkOwnPlaces } from '../disk/prepare.ts';
import { refuseNewer } from '../kept/refuse-newer.ts';
import { Places } from '../names/places.ts';
import { changesNothing } from '../plan/plan.ts';
import { figuresOf } from '../plan/plan-figures.ts';
import type { DownloadSummary } from '../progress/progress.ts';
import { carryOut } from './carry-out.ts';
import { compare } from './compare.ts';
import type { DownloadChoice, DownloadParts } from './download-choice.ts';
import { holdDirectory } from './interrupted.ts';

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
  const { events, held, free = freeSpace } = parts;
  const places = new Places(choice.gameDirectory);
  return inDiskWords(async () => {
    events.stage('locking');
    const recovering = (): void => events.stage('recovering');
    await using _held = held ?? (await holdDirectory(places, { ...parts, recovering }));
    const { plan, marker } = await compare(places, choice, parts);
    const summary = { figures: figuresOf(plan), wasThere: changesNothing(plan) };
    events.planned(summary.figures, await free(places.root));
    await carryOut(plan, marker, places, choice, parts);
    return summary;
  });
}
