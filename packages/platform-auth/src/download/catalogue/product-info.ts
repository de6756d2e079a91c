import { ContentError } from '../problems/problem.ts';

/** A depot as product info tells of it. */
export interface DepotInfo {
  readonly depotId: number;
  /** Systems, architecture, language; undefined means every one. */
  readonly systems: readonly string[] | undefined;
  readonly architecture: string | undefined;
  readonly language: string | undefined;
  /** Belongs to another app, or to an addition that is bought apart. */
  readonly isForeign: boolean;
  readonly isLowViolence: boolean;
  /** The manifest on each branch: 64 bits, decimal. */
  readonly manifestIds: ReadonlyMap<string, string>;
}

export interface BranchInfo {
  readonly name: string;
  readonly wantsPassword: boolean;
}

export interface AppContent {
  readonly depots: readonly DepotInfo[];
  readonly branches: readonly BranchInfo[];
}

type Tree = Readonly<Record<string, unknown>>;

/** Reads the part of an app's product info that is about content: a tree of texts, where anything may be missing. */
export function readAppContent(appId: number, appInfo: unknown): AppContent {
  const depots = treeIn(appInfo, 'depots');
  if (depots === undefined)
    throw new ContentError('nothing-for-this-system', `The platform lists no content for app ${appId}`);
  return {
    depots: Object.entries(depots).flatMap(([id, depot]) => {
      return /^\d{1,10}$/.test(id) && isTree(depot) ? [readDepot(Number(id), depot)] : [];
    }),
    branches: Object.entries(treeIn(depots, 'branches') ?? {}).map(([name, branch]) => ({
      name,
      wantsPassword: isSet(branch, 'pwdrequired'),
    })),
  };
}

function readDepot(depotId: number, depot: Tree): DepotInfo {
  const config = treeIn(depot, 'config') ?? {};
  return {
    depotId,
    systems: textIn(config, 'oslist')
      ?.split(',')
      .map((system) => system.trim()),
    architecture: textIn(config, 'osarch'),
    language: textIn(config, 'language'),
    isForeign:
      textIn(depot, 'depotfromapp') !== undefined ||
      textIn(depot, 'dlcappid') !== undefined ||
      isSet(depot, 'sharedinstall'),
    isLowViolence: isSet(config, 'lowviolence'),
    manifestIds: new Map(
      Object.entries(treeIn(depot, 'manifests') ?? {}).flatMap(([branch, manifest]) => {
        // An object with a `gid`, or, in older ones, the bare id.
        const id = typeof manifest === 'string' ? manifest : textIn(manifest, 'gid');
        return id !== undefined && /^\d{1,20}$/.test(id) ? [[branch, id]] : [];
      }),
    ),
  };
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

function treeIn(value: unknown, name: string): Tree | undefined {
  const found = isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isTree(found) ? found : undefined;
}

/** Empty means absent, as everywhere in product info. */
function textIn(value: unknown, name: string): string | undefined {
  const found = isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function isSet(value: unknown, name: string): boolean {
  return textIn(value, name) === '1';
}
