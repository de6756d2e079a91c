import { timestampOf } from '@steward/shared/timestamp';
import { gameAppId } from '../platform/game-app.ts';
import type { ChunkSource } from './chunk-source.ts';
import type { DownloadEvents, DownloadSummary } from './download-events.ts';
import { fileFilter } from './filter/file-filter.ts';
import { filterVersion } from './filter/filter-table.ts';
import type { LanguageCode } from './filter/languages.ts';
import type { Catalogue, DepotManifest } from './manifest/manifest.ts';
import { makePlan } from './plan/make-plan.ts';
import { bytesNeeded, changesNothing, type Plan, sum } from './plan/plan.ts';
import { figuresOf } from './plan/plan-figures.ts';
import { type WantedTree, wantedTree } from './plan/wanted-tree.ts';
import { diskProblem } from './tree/disk-problem.ts';
import { type DiskSteps, diskSteps } from './tree/disk-steps.ts';
import { eachOf } from './tree/each-of.ts';
import { type FinishedFile, finishFile } from './tree/finish.ts';
import { checkSpace, type FreeSpace, freeSpace } from './tree/free-space.ts';
import { readInstalled } from './tree/installed.ts';
import { readJournal, rollForward } from './tree/journal.ts';
import { takeLock } from './tree/lock.ts';
import { type Marker, makeMarker, type PublishedApp, readMarker, sameTree } from './tree/marker.ts';
import { Places, sdkAppId, sdkFolder } from './tree/places.ts';
import { prepareGameDirectory } from './tree/prepare.ts';
import { publish, recordOf } from './tree/publish.ts';
import { refuseNewer } from './tree/refuse-newer.ts';
import { Stage } from './tree/stage.ts';

/** Flushing a file waits for the disk; many at once are one wait. */
const flushesAtOnce = 16;

export interface DownloadChoice {
  readonly gameDirectory: string;
  readonly languages: readonly LanguageCode[];
  readonly keepFiles: readonly string[];
  readonly skipSdk: boolean;
  /** Reads every file that is there and repairs what is broken. */
  readonly verify: boolean;
  /** Fetches everything, whatever is there. */
  readonly anew: boolean;
}

export interface DownloadParts {
  readonly catalogue: Catalogue;
  readonly chunks: ChunkSource;
  readonly events: DownloadEvents;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** The command that downloads, for whoever finds the lock taken. */
  readonly command: string;
  readonly steps?: DiskSteps;
  readonly free?: FreeSpace;
}

/** The plan alone. Changes nothing on the disk, not even what an interrupted run has left to do. */
export async function planDownload(
  choice: DownloadChoice,
  parts: Pick<DownloadParts, 'catalogue' | 'events' | 'signal'>,
) {
  const places = new Places(choice.gameDirectory);
  return inWords(async () => {
    await refuseNewer(places);
    const { plan } = await compare(places, choice, parts);
    return figuresOf(plan);
  });
}

/** Brings GAME_DIR to the platform's newest version, whatever state it is in. */
export async function download(choice: DownloadChoice, parts: DownloadParts): Promise<DownloadSummary> {
  const { events, now, command, steps = diskSteps } = parts;
  const places = new Places(choice.gameDirectory);
  return inWords(async () => {
    events.stage('locking');
    await prepareGameDirectory(places, steps);
    await using _lock = await takeLock(places, command, now);
    await refuseNewer(places);
    await recover(places, steps, () => events.stage('recovering'));
    const { plan, marker } = await compare(places, choice, parts);
    const summary = { figures: figuresOf(plan), wasThere: changesNothing(plan) };
    events.planned(summary.figures);
    await carryOut(plan, marker, places, choice, parts);
    return summary;
  });
}

/**
 * Completes what a run that died in the middle of publishing has begun. Needs no platform: the files are all there. True when
 * there was something to complete.
 */
export async function completeInterrupted(
  places: Places,
  command: string,
  now: () => Date,
): Promise<boolean> {
  return inWords(async () => {
    await refuseNewer(places);
    if ((await readJournal(places)) === undefined) return false;
    await using _lock = await takeLock(places, command, now);
    await recover(places, diskSteps, () => {});
    return true;
  });
}

async function recover(places: Places, steps: DiskSteps, begins: () => void): Promise<void> {
  const journal = await readJournal(places);
  if (journal === undefined) return;
  begins();
  await rollForward(places, steps, journal);
}

async function compare(
  places: Places,
  choice: DownloadChoice,
  { catalogue, events, signal }: Pick<DownloadParts, 'catalogue' | 'events' | 'signal'>,
): Promise<{ plan: Plan; marker: Omit<Marker, 'version' | 'downloadedAt'> }> {
  const { languages, keepFiles, skipSdk, verify, anew } = choice;
  events.stage('listing');
  const game = await catalogue.manifestsOf(gameAppId, signal);
  const sdk = skipSdk ? [] : await catalogue.manifestsOf(sdkAppId, signal);
  const tree = joined([
    wantedTree(game, '', fileFilter({ languages, keepFiles })),
    wantedTree(sdk, sdkFolder, () => undefined),
  ]);
  const files = [...tree.entries.values()].filter((entry) => entry.kind === 'file');
  const totals = { totalFiles: files.length, totalBytes: sum(files.map(({ bytes }) => bytes)) };
  events.stage('checking');
  events.checkBegins(totals.totalBytes);
  const plan = await makePlan({
    places,
    installed: await readInstalled(places),
    tree,
    untouchedFolders: skipSdk ? [sdkFolder] : [],
    verify,
    anew,
    signal,
    checked: (file) => events.checked(file),
  });
  const apps = [publishedApp(gameAppId, game), ...(skipSdk ? [] : [publishedApp(sdkAppId, sdk)])];
  return {
    plan,
    marker: { apps, languages: [...languages], keepFiles: [...keepFiles], filterVersion, ...totals },
  };
}

async function carryOut(
  plan: Plan,
  content: Omit<Marker, 'version' | 'downloadedAt'>,
  places: Places,
  choice: DownloadChoice,
  parts: DownloadParts,
): Promise<void> {
  const { chunks, events, signal, now, steps = diskSteps, free = freeSpace } = parts;
  const installed = await readInstalled(places);
  const marker = makeMarker({ ...content, downloadedAt: timestampOf(now()) });
  await checkSpace(places.root, bytesNeeded(plan), free);
  const stage = new Stage(places, steps, {
    copied: (chunk, file) => events.written(chunk, file),
    written: (chunk, file) => events.written(chunk, file),
    fetched: (chunk) => events.fetched(chunk),
  });
  await stage.prepare(plan.work, choice.anew);
  if (plan.work.length > 0) events.stage('fetching');
  await stage.gather(plan.work, chunks, signal);
  const finished: FinishedFile[] = [];
  if (plan.work.length > 0) events.stage('finishing');
  await eachOf(plan.work, flushesAtOnce, async (work) => {
    signal.throwIfAborted();
    const unreadableList = (): void =>
      events.warning('Content/ContentHashes.json cannot be understood and is left as it is');
    finished.push(await finishFile(work, { places, steps, final: plan, signal, unreadableList }));
  });
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

function publishedApp(appId: number, manifests: readonly DepotManifest[]): PublishedApp {
  return { appId, depots: manifests.map(({ depotId, manifestId }) => ({ depotId, manifestId })) };
}

function joined(trees: readonly WantedTree[]): WantedTree {
  return {
    entries: new Map(trees.flatMap(({ entries }) => [...entries])),
    stripped: trees.flatMap(({ stripped }) => stripped),
  };
}

async function inWords<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw diskProblem(error);
  }
}
