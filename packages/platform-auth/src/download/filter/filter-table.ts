import { matchesGlob } from 'node:path';
import { type LanguageCode, languageCodes } from './languages.ts';

/** Goes up whenever a row changes what is left out, so that an older tree is known for one and brought up to date. */
export const filterVersion = 1;

export type StrippedGroup = 'sound' | 'languages' | 'fonts' | 'debugging' | 'documents' | 'other systems';

export interface FilterRow {
  /** What is left out, as the docs name it. */
  readonly what: string;
  /** Tried on the whole name below GAME_DIR, with `/` between its parts. */
  readonly pattern: RegExp;
  readonly reason: string;
  readonly group: StrippedGroup;
  /** A row with a language does not count while that language is kept. */
  readonly language?: LanguageCode;
}

const fontFamilies = [
  { family: 'Chinese', language: 'zh-CN' },
  { family: 'Japanese', language: 'ja-JP' },
  { family: 'Korean', language: 'ko-KR' },
] as const;

/** Everything that is not downloaded, and why. What no row names is kept. */
export const filterTable: readonly FilterRow[] = [
  {
    what: '`Content/XACT/Wave Bank.xwb` and `Wave Bank(1.4).xwb`',
    pattern: /^Content\/XACT\/Wave Bank(\(1\.4\))?\.xwb$/i,
    reason: 'The sound itself, by far the largest files: the server runs silent',
    group: 'sound',
  },
  ...languageCodes.map((language) => ({
    what: `\`*.${language}.xnb\``,
    pattern: new RegExp(`\\.${language}\\.xnb$`, 'i'),
    reason: `Text and fonts of ${language}, which players have themselves`,
    group: 'languages' as const,
    language,
  })),
  ...fontFamilies.map(({ family, language }) => ({
    what: `\`Content/Fonts/${family}*\``,
    pattern: new RegExp(`^Content/Fonts/${family}`, 'i'),
    reason: `The large font family of ${language}`,
    group: 'fonts' as const,
    language,
  })),
  {
    what: '`*.pdb`, `*.mdb`, `*.dbg`, `*.debug`',
    pattern: /\.(pdb|mdb|dbg|debug)$/i,
    reason: 'Debug symbols, which only a debugger loads',
    group: 'debugging',
  },
  {
    what: '`*.pdf`, `*.chm`, `*.rtf`',
    pattern: /\.(pdf|chm|rtf)$/i,
    reason: 'Manuals for people, which no program loads',
    group: 'documents',
  },
  {
    // Not *.exe: under Mono the game itself is one.
    what: '`*.msi`, `*.bat`, `*.cmd`',
    pattern: /\.(msi|bat|cmd)$/i,
    reason: 'Installers and scripts for Windows',
    group: 'other systems',
  },
  {
    what: '`*.dylib`, `*.app/…`',
    pattern: /\.dylib$|\.app\/|\.app$/i,
    reason: 'Libraries and programs for macOS',
    group: 'other systems',
  },
];

export interface FilterChoice {
  readonly languages: readonly LanguageCode[];
  /** Globs on names below GAME_DIR; what one fits is kept whatever the table says. */
  readonly keepFiles: readonly string[];
}

/** The row that leaves a file out, or undefined for a file that is kept. */
export type FileFilter = (name: string) => FilterRow | undefined;

export function fileFilter({ languages, keepFiles }: FilterChoice): FileFilter {
  const rows = filterTable.filter(({ language }) => language === undefined || !languages.includes(language));
  return (name) => {
    const row = rows.find(({ pattern }) => pattern.test(name));
    if (row === undefined || keepFiles.some((glob) => matchesGlob(name, glob))) return undefined;
    return row;
  };
}
