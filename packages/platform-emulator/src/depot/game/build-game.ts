import type { ChunkFormat } from '../chunk/chunk-format.ts';
import type { ChunkStore } from '../chunk-store.ts';
import type { Depot, DepotAudience, DepotFile } from '../depot.ts';
import { chunkSize, makeDepot } from '../make-depot.ts';
import { contentFamilies, contentHashes, familyFiles, type GameFile } from './content-files.ts';
import { programLike, withPatch } from './generated-content.ts';
import { linuxPrograms, windowsPrograms } from './program-files.ts';

export const gameAppId = 413150;
export const depotIds = {
  windows: 413151,
  linux: 413153,
  linux32: 413154,
  common: 413155,
  desktop: 413156,
  german: 413157,
} as const;

export interface GamePlan {
  seed: string;
  /** What the Linux depot holds: from 1 MB to the real 1.5 GB, and beyond if someone wants to wait. */
  bytes: number;
  version?: 1 | 2;
  format?: ChunkFormat | 'mixed';
  /** Where the chunks of a depot are kept once made; absent, they are made anew for every request. */
  chunkStore?: (depotId: number) => ChunkStore;
}

export type GameDepots = Record<keyof typeof depotIds, Depot>;

/** The game's depots: one holds nearly everything, the others are there to be chosen or passed over. */
export function buildGame(plan: GamePlan): GameDepots {
  const { seed, bytes } = plan;
  const first = contentFamilies.flatMap((family) => familyFiles(family, seed, bytes));
  const content = plan.version === 2 ? updated(first, seed) : first;
  const small = (name: string): DepotFile => {
    return { kind: 'file', name, content: programLike(`${seed} ${name}`, 3000) };
  };
  const hashes: DepotFile = {
    kind: 'file',
    name: 'Content/ContentHashes.json',
    content: contentHashes(content),
  };
  const make = (depot: keyof typeof depotIds, name: string, audience: DepotAudience, files: DepotFile[]) =>
    makeDepot(
      {
        depotId: depotIds[depot],
        name,
        ...audience,
        createdAt: 1_700_000_000 + (plan.version ?? 1),
        format: plan.format ?? 'mixed',
        ...(plan.chunkStore === undefined ? {} : { chunkStore: plan.chunkStore(depotIds[depot]) }),
      },
      files,
    );
  return {
    windows: make('windows', 'Windows', { osList: 'windows' }, windowsPrograms(seed, bytes)),
    linux: make('linux', 'Linux', { osList: 'linux' }, [
      ...linuxPrograms(seed, bytes),
      ...content.map(asDepotFile),
      hashes,
    ]),
    linux32: make('linux32', 'Linux, 32 bits', { osList: 'linux', osArch: '32' }, [small('FarmGame.x86')]),
    common: make('common', 'Common', {}, [small('licenses/third-party.txt'), small('icon.bmp')]),
    desktop: make('desktop', 'Desktop', { osList: 'windows,linux', osArch: '64' }, [
      small('gamecontrollerdb.txt'),
    ]),
    german: make('german', 'German manual', { language: 'german' }, [small('Manual/Handbuch.pdf')]),
  };
}

/** Some names have backslashes in the manifest, as they come from whoever packed the game on Windows. */
function asDepotFile(file: GameFile, index: number): DepotFile {
  const name = index % 3 === 0 ? file.name.replaceAll('/', '\\') : file.name;
  return { kind: 'file', name, content: file.content };
}

// Every so many files one is changed, and further along one is removed: an update leaves most of a game alone.
const changedEvery = 13;
const removedEvery = 41;
const patchBytes = 512;

/** The same files one update later: some changed in one place, a few gone, two new. The large ones keep most chunks. */
function updated(files: readonly GameFile[], seed: string): GameFile[] {
  const stays = files.filter((file, index) => index % removedEvery !== removedEvery - 1 || isSound(file));
  const changed = stays.map((file, index) =>
    index % changedEvery === 0 || file.content.size > 2 * chunkSize ? patched(file, seed) : file,
  );
  const added = ['Content/Maps/NewIsland.xnb', 'Content/Data/NewIsland.xnb'].map((name) => {
    const label = `${seed} update ${name}`;
    return { name, label, content: programLike(label, 20_000) };
  });
  return [...changed, ...added];
}

function patched(file: GameFile, seed: string): GameFile {
  const at = Math.floor(file.content.size / 2);
  const patch = programLike(`${seed} patch of ${file.name}`, patchBytes).read(0, patchBytes);
  const size = Math.min(patchBytes, file.content.size - at);
  return {
    ...file,
    label: `${file.label} patched`,
    content: withPatch(file.content, at, patch.subarray(0, size)),
  };
}

/** What the game cannot do without is never removed. */
function isSound(file: GameFile): boolean {
  return file.name.startsWith('Content/XACT/');
}

export const sdkAppId = 1007;
const sdkDepotId = 1006;
const libraryBytes = 400_000;

/** The SDK's redistributable, from which the game server wants `linux64/steamclient.so`. */
export function buildSdk(seed: string): Depot {
  return makeDepot({ depotId: sdkDepotId, name: 'SDK redistributable, Linux', osList: 'linux' }, [
    { kind: 'directory', name: 'linux64' },
    {
      kind: 'file',
      name: 'linux64/steamclient.so',
      content: programLike(`${seed} steamclient.so`, libraryBytes),
      executable: true,
    },
  ]);
}
