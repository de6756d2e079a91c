import type { FileContent } from '../depot.ts';
import type { FileFamily } from './file-families.ts';
import { incompressible, programLike } from './generated-content.ts';
import { seededNumbers } from './seeded.ts';

const realBytes = 1_500_000_000;
// Every language has two files at least, so that a filter has something to leave out and to keep.
const fewestFiles = 24;

export interface GameFile {
  readonly name: string;
  readonly content: FileContent;
  /** Names the content: equal labels, equal bytes. */
  readonly label: string;
}

/** A family's files at a scale: sizes differ as real ones do, a few large and many small, and add up to its share. */
export function familyFiles(family: FileFamily, seed: string, treeBytes: number): GameFile[] {
  const bytes = Math.round((treeBytes * family.share) / 1000);
  const scale = Math.min(1, treeBytes / realBytes);
  const fewest = Math.min(family.files, fewestFiles);
  const count = Math.max(fewest, Math.round(family.files * Math.sqrt(scale)));
  const random = seededNumbers(`${seed} sizes of ${family.name}`);
  const weights = Array.from({ length: count }, () => random() ** 3 + 0.02);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let begun = 0;
  let weightSoFar = 0;
  return weights.map((weight, index) => {
    weightSoFar += weight;
    const end = Math.round((bytes * weightSoFar) / total);
    const size = Math.max(1, end - begun);
    begun = end;
    const name = family.nameOf(index);
    const label = `${seed} ${name}`;
    const content = family.compressible ? programLike(label, size) : incompressible(label, size);
    return { name, content, label: `${label} ${size}` };
  });
}
