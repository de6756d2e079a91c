/** A space outside of backticks: after it they come in pairs. */
const betweenWords = / (?=(?:[^`]*`[^`]*`)*[^`]*$)/;

/**
 * The text in lines that fit. A command in backticks stays on one line, if it can; a word longer than a line stays whole in any case, so
 * that it can be copied.
 */
export function wordWrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    const words = paragraph
      .split(betweenWords)
      .flatMap((word) => (word.length <= columns ? [word] : word.split(' ')));
    for (const word of words) {
      const line = lines.at(-1) ?? '';
      const longer = line === '' ? word : `${line} ${word}`;
      if (longer.length <= columns || line === '') lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  });
}

/** What goes on in a second line stands deeper than where the first began. */
const deeper = '  ';

/** The line in lines that fit, each but the first set in, so that an indented list stays one. */
export function hangingLines(line: string, columns: number): string[] {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length);
  return wordWrap(text, columns - indent.length - deeper.length).map(
    (each, index) => `${indent}${index === 0 ? '' : deeper}${each}`,
  );
}

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

const gap = '  ';

/** Rows of cells as columns, the first row their heads; what comes last in a row is not filled up. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(gap);
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
