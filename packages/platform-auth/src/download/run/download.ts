import { gameAppId } from '@steward/shared/sidecar/download';
import { timestampOf } from '@steward/shared/wire-values';
import { inDiskWords } from '../disk/disk-problem.ts';
import { type DiskSteps, diskSteps } from '../disk/disk-steps.ts';
import { eachOf } from '../disk/each-of.ts';
import { checkSpace, type FreeSpace, freeSpace } from '../disk/free-space.ts';
import { checkOwnPlaces } from '../disk/prepare.ts';
import { fileFilter, filterVersion } from '../filter/filter-table.ts';
import type { LanguageCode } from '../filter/languages.ts';
import { readInstalled } from '../kept/installed.ts';
import { isWhole, type Marker, makeMarker, type PublishedApp, readMarker, sameTree } from '../kept/marker.ts';
import { refuseNewer } from '../kept/refuse-newer.ts';
import type { Catalogue, ChunkSource, DepotManifest } from '../manifest/manifest.ts';
import { Places, sdkAppId, sdkFolder } from '../names/places.ts';
import { makePlan } from '../plan/make-plan.ts';
import { bytesNeeded, changesNothing, figuresOf, type Plan, sum } from '../plan/plan.ts';
import { type WantedTree, wantedTree } from '../plan/wanted-tree.ts';
import type { DownloadEvents, DownloadSummary } from '../progress/progress.ts';
import { type FinishedFile, finishFile } from '../publish/finish.ts';
import { checkFolders, type FolderProbe, probeFolder } from '../publish/folder-probe.ts';
import { layReady, publish, recordOf } from '../publish/publish.ts';
import { Stage } from '../publish/stage.ts';
import { holdDirectory, justRun, type Unbroken } from './interrupted.ts';

/** What the operator wants. */
export interface DownloadChoice {
  readonly gameDirectory: string;
  readonly languages: readonly LanguageCode[];
  readonly keepFiles: readonly string[];
  readonly skipSdk: boolean;
  /** Reads every file that is there and repairs what is broken. */
  readonly verify: boolean;
  /** Fetches everything, whatever is there. */
  readonly again: boolean;
  /** Leaves what is new in the stage, for `publishStaged`, and the tree as it is. */
  readonly stagesOnly?: boolean;
  /** Leaves a game that is whole by the time that it has GAME_DIR for itself, however old it is. */
  readonly onlyIfMissing?: boolean;
}

/** What a download works with. */
export interface DownloadParts {
  readonly catalogue: Catalogue;
  readonly chunks: ChunkSource;
  readonly events: DownloadEvents;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** The command that downloads, for whoever finds the lock taken. */
  readonly command: string;
  /** The process that answers for it, for the same; this one where it is absent. */
  readonly pid?: number | undefined;
  /** GAME_DIR, where this run holds it already; given back at the end. */
  readonly held?: AsyncDisposable | undefined;
  /** Brings what is new into the tree, and completes what an interrupted run has begun of that. */
  readonly unbroken?: Unbroken | undefined;
  readonly steps?: DiskSteps;
  readonly free?: FreeSpace;
  readonly probe?: FolderProbe;
}

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
export async function downloadTree(choice: DownloadChoice, parts: DownloadParts): Promise<DownloadSummary> {
  const { events, held, free = freeSpace } = parts;
  const places = new Places(choice.gameDirectory);
  return inDiskWords(async () => {
    events.stage('locking');
    const recovering = (): void => events.stage('recovering');
    await using _held = held ?? (await holdDirectory(places, { ...parts, recovering }));
    const isLeft = choice.onlyIfMissing === true && (await isWhole(places));
    const { plan, marker } = await compare(places, choice, parts);
    const summary = { figures: figuresOf(plan), wasThere: isLeft || changesNothing(plan) };
    events.planned(summary.figures, await free(places.root));
    if (!isLeft) await carryOut(plan, marker, places, choice, parts);
    return summary;
  });
}

/** What a marker will say, but for the moment. */
type MarkerContent = Omit<Marker, 'version' | 'downloadedAt'>;

/** What the platform has beside what is on the disk: all that there is to do. Changes nothing. */
async function compare(
  places: Places,
  choice: DownloadChoice,
  { catalogue, events, signal }: Pick<DownloadParts, 'catalogue' | 'events' | 'signal'>,
): Promise<{ plan: Plan; marker: MarkerContent }> {
  const { languages, keepFiles, skipSdk, verify, again } = choice;
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
    again,
    signal,
    checked: (file) => events.checked(file),
  });
  const apps = [publishedApp(gameAppId, game), ...(skipSdk ? [] : [publishedApp(sdkAppId, sdk)])];
  return {
    plan,
    marker: { apps, languages: [...languages], keepFiles: [...keepFiles], filterVersion, ...totals },
  };
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

/** Flushing a file waits for the disk; many at once are one wait. */
const flushesAtOnce = 16;

/** Gathers what a plan says beside the tree, and brings it into the tree when all of it is there. */
async function carryOut(
  plan: Plan,
  content: MarkerContent,
  places: Places,
  { again, stagesOnly = false }: Pick<DownloadChoice, 'again' | 'stagesOnly'>,
  parts: DownloadParts,
): Promise<void> {
  const { chunks, events, signal, now, unbroken = justRun } = parts;
  const { steps = diskSteps, free = freeSpace, probe = probeFolder } = parts;
  const installed = await readInstalled(places);
  const marker = makeMarker({ ...content, downloadedAt: timestampOf(now()) });
  await checkFolders(plan, places, probe);
  const stage = new Stage(places, steps, {
    copied: (chunk, file) => events.written(chunk, file),
    written: (chunk, file) => events.written(chunk, file),
    fetched: (chunk) => events.fetched(chunk),
  });
  // What was staged before may lose its files from here on.
  await steps.remove(places.stagedBuild);
  await stage.prepare(plan.work, again, stagesOnly);
  // What an abandoned version left in the stage is given back by now, or it could keep the new one out for good.
  await checkSpace(places.root, bytesNeeded(plan), free);
  if (plan.work.length > 0) events.stage('fetching');
  await stage.gather(plan.work, chunks, signal);
  if (plan.work.length > 0) events.stage('finishing');
  const finished = await finishAll(plan, places, parts);
  const before = await readMarker(places);
  if (before === undefined || !changesNothing(plan) || !sameTree(before, marker)) {
    if (!stagesOnly) events.stage('publishing');
    signal.throwIfAborted();
    const keptLinks = Object.fromEntries(
      Object.entries(installed.links).filter(([name]) => plan.isUntouched(name)),
    );
    const record = recordOf(plan, finished, keptLinks);
    const publication = { plan, finished, record, marker };
    if (stagesOnly) return layReady(places, steps, publication);
    await unbroken(() => publish(places, steps, publication));
  }
  await stage.clear(plan);
}

/** Also where there is nothing to finish: then it is none. */
async function finishAll(plan: Plan, places: Places, parts: DownloadParts): Promise<FinishedFile[]> {
  const { events, signal, steps = diskSteps } = parts;
  const unreadableList = (): void =>
    events.warning('Content/ContentHashes.json cannot be understood and is left unchanged');
  const finished: FinishedFile[] = [];
  await eachOf(plan.work, flushesAtOnce, async (work) => {
    signal.throwIfAborted();
    finished.push(await finishFile(work, { places, steps, final: plan, signal, unreadableList }));
  });
  return finished;
}
