import { wordWrap } from './word-wrap.ts';

/** A word and what it means. */
export type Definition = readonly [word: string, meaning: string];

const margin = '  ';

/** A meaning that had less room than this would be a column of single words. */
const leastMeaning = 32;

const indentBelow = 6;

/**
 * The words in one column and their meanings beside them. On a terminal of so many columns meanings are wrapped, below their
 * words where it is narrow; without a number each stays on its line, where a search finds both.
 */
export function definitions(rows: readonly Definition[], columns: number | undefined): string {
  const column = Math.max(...rows.map(([word]) => word.length)) + margin.length;
  const beside = columns === undefined ? Number.POSITIVE_INFINITY : columns - margin.length - column;
  return rows
    .map(([word, meaning]) =>
      beside < leastMeaning
        ? `${margin}${word}\n${below(meaning, columns ?? leastMeaning)}`
        : `${margin}${word.padEnd(column)}${wordWrap(meaning, beside).join(`\n${' '.repeat(margin.length + column)}`)}`,
    )
    .join('\n');
}

function below(meaning: string, columns: number): string {
  const indent = ' '.repeat(indentBelow);
  return wordWrap(meaning, Math.max(columns - indentBelow, leastMeaning - indentBelow))
    .map((line) => `${indent}${line}`)
    .join('\n');
}
