import { timestampOf } from '@steward/shared/timestamp';
import { diskSteps } from '../disk/disk-steps.ts';
import { eachOf } from '../disk/each-of.ts';
import { checkSpace, freeSpace } from '../disk/free-space.ts';
import { readInstalled } from '../kept/installed.ts';
import { makeMarker, readMarker, sameTree } from '../kept/marker.ts';
import type { Places } from '../names/places.ts';
import { bytesNeeded, changesNothing, type Plan } from '../plan/plan.ts';
import { type FinishedFile, finishFile } from '../publish/finish.ts';
import { checkFolders, probeFolder } from '../publish/folder-probe.ts';
import { publish, recordOf } from '../publish/publish.ts';
import { Stage } from '../publish/stage.ts';
import type { MarkerContent } from './compare.ts';
import type { DownloadChoice, DownloadParts } from './download-choice.ts';

/** Flushing a file waits for the disk; many at once are one wait. */
const flushesAtOnce = 16;

/** Gathers what a plan says beside the tree, and brings it into the tree when all of it is there. */
export async function carryOut(
  plan: Plan,
  content: MarkerContent,
  places: Places,
  { anew }: Pick<DownloadChoice, 'anew'>,
  parts: DownloadParts,
): Promise<void> {
  const { chunks, events, signal, now, steps = diskSteps, free = freeSpace, probe = probeFolder } = parts;
  const installed = await readInstalled(places);
  const marker = makeMarker({ ...content, downloadedAt: timestampOf(now()) });
  await checkFolders(plan, places, probe);
  const stage = new Stage(places, steps, {
    copied: (chunk, file) => events.written(chunk, file),
    written: (chunk, file) => events.written(chunk, file),
    fetched: (chunk) => events.fetched(chunk),
  });
  await stage.prepare(plan.work, anew);
  // What an abandoned version left in the stage is given back by now, or it could keep the new one out for good.
  await checkSpace(places.root, bytesNeeded(plan), free);
  if (plan.work.length > 0) events.stage('fetching');
  await stage.gather(plan.work, chunks, signal);
  if (plan.work.length > 0) events.stage('finishing');
  const finished = await finishAll(plan, places, parts);
  const before = await readMarker(places);
  if (before === undefined || !changesNothing(plan) || !sameTree(before, marker)) {
    events.stage('publishing');
    signal.throwIfAborted();
    const keptLinks = Object.fromEntries(
      Object.entries(installed.links).filter(([name]) => plan.isUntouched(name)),
    );
    const record = recordOf(plan, finished, keptLinks);
    await publish(places, steps, { plan, finished, record, marker });
  }
  await stage.clear(plan);
}

/** Also where there is nothing to finish: then it is none. */
async function finishAll(plan: Plan, places: Places, parts: DownloadParts): Promise<FinishedFile[]> {
  const { events, signal, steps = diskSteps } = parts;
  const unreadableList = (): void =>
    events.warning('Content/ContentHashes.json cannot be understood and is left as it is');
  const finished: FinishedFile[] = [];
  await eachOf(plan.work, flushesAtOnce, async (work) => {
    signal.throwIfAborted();
    finished.push(await finishFile(work, { places, steps, final: plan, signal, unreadableList }));
  });
  return finished;
}
