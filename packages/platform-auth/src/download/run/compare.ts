import { gameAppId } from '../../platform/platform-constants.ts';
import { fileFilter, filterVersion } from '../filter/filter-table.ts';
import { readInstalled } from '../kept/installed.ts';
import type { Marker, PublishedApp } from '../kept/marker.ts';
import type { DepotManifest } from '../manifest/manifest.ts';
import { type Places, sdkAppId, sdkFolder } from '../names/places.ts';
import { makePlan } from '../plan/make-plan.ts';
import { type Plan, sum } from '../plan/plan.ts';
import { type WantedTree, wantedTree } from '../plan/wanted-tree.ts';
import type { DownloadChoice, DownloadParts } from './download-choice.ts';

/** What a marker will say, but for the moment. */
export type MarkerContent = Omit<Marker, 'version' | 'downloadedAt'>;

/** What the platform has beside what is on the disk: all that there is to do. Changes nothing. */
export async function compare(
  places: Places,
  choice: DownloadChoice,
  { catalogue, events, signal }: Pick<DownloadParts, 'catalogue' | 'events' | 'signal'>,
): Promise<{ plan: Plan; marker: MarkerContent }> {
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

function publishedApp(appId: number, manifests: readonly DepotManifest[]): PublishedApp {
  return { appId, depots: manifests.map(({ depotId, manifestId }) => ({ depotId, manifestId })) };
}

function joined(trees: readonly WantedTree[]): WantedTree {
  return {
    entries: new Map(trees.flatMap(({ entries }) => [...entries])),
    stripped: trees.flatMap(({ stripped }) => stripped),
  };
}
