import { carryOut } from './carry-out.ts';
import { compare } from './compare.ts';
import type { DownloadChoice, DownloadParts } from './download-choice.ts';
import type { DownloadSummary } from './download-events.ts';
import { holdDirectory } from './interrupted.ts';
import { changesNothing } from './plan/plan.ts';
import { figuresOf } from './plan/plan-figures.ts';
import { inDiskWords } from './tree/disk-problem.ts';
import { freeSpace } from './tree/free-space.ts';
import { Places } from './tree/places.ts';
import { checkOwnPlaces } from './tree/prepare.ts';
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
