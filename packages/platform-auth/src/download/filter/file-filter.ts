import { matchesGlob } from 'node:path';
import { type FilterRow, filterTable } from './filter-table.ts';
import type { LanguageCode } from './languages.ts';

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
