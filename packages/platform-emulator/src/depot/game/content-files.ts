import { createHash } from 'node:crypto';
import type { FileContent } from '../depot.ts';
import { incompressible, programLike } from './generated-content.ts';

/** The spec's twelve languages. */
export const languageCodes = [
  'de-DE',
  'es-ES',
  'fr-FR',
  'hu-HU',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'pt-BR',
  'ru-RU',
  'tr-TR',
  'zh-CN',
  'th-TH',
] as const;

interface FileFamily {
  readonly name: string;
  /** This family's part of the whole, in thousandths of the real game's 1.5 GB. */
  readonly share: number;
  /** How many files the real game has, about; a smaller tree has fewer, but never none. */
  readonly files: number;
  readonly compressible: boolean;
  readonly nameOf: (index: number) => string;
}

const scripts = ['Chinese', 'Japanese', 'Korean'] as const;
const areas = ['Characters', 'Data', 'Maps', 'Strings', 'Minigames', 'TileSheets', 'Buildings', 'Portraits'];
const localizedAreas = ['Strings', 'Data', 'Characters/Dialogue', 'Fonts', 'Data/Events', 'Minigames'];

/**
 * The kinds of files that decide what a filter must do, in proportions that give about 1.5 GB before and
 * 600 MB after filtering (spec, "Game file filtering").
 */
export const contentFamilies: readonly FileFamily[] = [
  {
    name: 'wave bank',
    share: 247,
    files: 1,
    compressible: false,
    nameOf: () => 'Content/XACT/Wave Bank.xwb',
  },
  {
    name: 'wave bank 1.4',
    share: 247,
    files: 1,
    compressible: false,
    nameOf: () => 'Content/XACT/Wave Bank(1.4).xwb',
  },
  {
    name: 'other sound',
    share: 2,
    files: 2,
    compressible: true,
    nameOf: (index) => (index === 0 ? 'Content/XACT/Sound Bank.xsb' : 'Content/XACT/FarmerSounds.xgs'),
  },
  {
    name: 'localized',
    share: 33,
    files: 1200,
    compressible: true,
    nameOf(index) {
      const code = pick(languageCodes, index);
      const round = Math.floor(index / languageCodes.length);
      return `Content/${pick(localizedAreas, round)}/Text${round}.${code}.xnb`;
    },
  },
  {
    name: 'large fonts',
    share: 73,
    files: 60,
    compressible: true,
    nameOf(index) {
      const script = pick(scripts, index);
      const round = Math.floor(index / scripts.length);
      return round === 0 ? `Content/Fonts/${script}.xnb` : `Content/Fonts/${script}_${round - 1}.xnb`;
    },
  },
  {
    name: 'assets',
    share: 318,
    files: 2600,
    compressible: true,
    nameOf: (index) => `Content/${pick(areas, index)}/Asset${index}.xnb`,
  },
];

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('nothing to pick from an empty list');
  return found;
}

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

/** Numbers in [0, 1) that a label decides: the same label, the same row of numbers, whatever else is drawn. */
function seededNumbers(label: string): () => number {
  let pool = Buffer.alloc(0);
  let used = 0;
  let round = 0;
  return () => {
    if (used + 4 > pool.length) {
      pool = createHash('sha512').update(`${label} ${round}`).digest();
      round++;
      used = 0;
    }
    const number = pool.readUInt32LE(used) / 2 ** 32;
    used += 4;
    return number;
  };
}

const contentDirectory = 'Content/';

/**
 * `Content/ContentHashes.json`: each content file's path below `Content` and a hash. Nobody compares the hashes
 * with the bytes, so they are made of the content's label, which spares reading 1.5 GB once more.
 */
export function contentHashes(files: readonly GameFile[]): Buffer {
  const listed = files
    .filter((file) => file.name.startsWith(contentDirectory))
    .map((file) => [
      file.name.slice(contentDirectory.length),
      createHash('md5').update(file.label).digest('hex'),
    ]);
  return Buffer.from(JSON.stringify(Object.fromEntries(listed)));
}
