import { chunkSize } from '../make-depot.ts';
import { withPatch } from './changed-content.ts';
import type { GameFile } from './family-files.ts';
import { programLike } from './generated-content.ts';

// Every so many files one is changed, and further along one is removed: an update leaves most of a game alone.
const changedEvery = 13;
const removedEvery = 41;
const patchBytes = 512;

/** The same files one update later: some changed in one place, a few gone, two new. The large ones keep most chunks. */
export function updated(files: readonly GameFile[], seed: string): GameFile[] {
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
