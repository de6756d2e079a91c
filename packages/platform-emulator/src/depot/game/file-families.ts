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

export interface FileFamily {
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
