import type headless from '@xterm/headless';

/** Neighbouring characters that look the same. */
export interface Run {
  readonly column: number;
  readonly text: string;
  /** What makes it look so, as words: `green bold`. */
  readonly look: string;
}

export type Line = readonly Run[];

export type Terminal = InstanceType<typeof headless.Terminal>;

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** What stands on a terminal now, what has scrolled away included, without blank ends. */
export function screenLines({ buffer: { active }, cols }: Terminal): Line[] {
  return Array.from({ length: active.length }, (_, row) => {
    const line = active.getLine(row);
    const cells = Array.from({ length: cols }, (_cell, column) => line?.getCell(column));
    return runsOf(cells.map((cell) => ({ text: cell?.getChars() || ' ', look: lookOf(cell) })));
  });
}

type Cell = ReturnType<NonNullable<ReturnType<Terminal['buffer']['active']['getLine']>>['getCell']>;

function lookOf(cell: Cell): string {
  if (cell === undefined) return '';
  const named = cell.isFgPalette() ? (colours[cell.getFgColor() % colours.length] ?? '') : '';
  // The brighter half of the palette begins with the grey of what matters less.
  const colour = named === 'black' && cell.getFgColor() >= colours.length ? 'grey' : named;
  const marks = { bold: cell.isBold(), faint: cell.isDim(), inverse: cell.isInverse() };
  return [colour, ...Object.entries(marks).flatMap(([mark, is]) => (is ? [mark] : []))]
    .filter(Boolean)
    .join(' ');
}

function runsOf(cells: readonly { readonly text: string; readonly look: string }[]): Line {
  const runs: Run[] = [];
  cells.forEach(({ text, look }, column) => {
    const last = runs.at(-1);
    if (last?.look === look) runs[runs.length - 1] = { ...last, text: last.text + text };
    else runs.push({ column, text, look });
  });
  // A blank that is inverse is a cursor, and seen.
  return runs.filter(({ text, look }) => text.trim() !== '' || look.includes('inverse'));
}
