import type { Growth } from './growth-row.ts';
import { cells, tableHead, tableRow } from './table.ts';

export const roomColumns = [
  'what grows',
  'Steward is made for',
  'nothing broke with',
  'broke with',
  'times what it is made for',
] as const;

/** How far something could grow, beside what Steward is made for: things of every kind can be compared by that. */
export function roomRow({ doubled, madeFor, held, broke }: Growth): string {
  const times = ((broke ?? held) / madeFor).toFixed(2);
  return tableRow([
    doubled,
    madeFor.toLocaleString('en'),
    held.toLocaleString('en'),
    broke === undefined ? '' : broke.toLocaleString('en'),
    broke === undefined ? `more than ${times}` : times,
  ]);
}

/** What breaks first, over everything that was doubled: a sentence, and the table that it is read from. */
export function whatBreaksFirst(rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const ordered = inOrder(rows);
  return `${sentence(ordered)}\n\n${tableHead(roomColumns)}\n${ordered.join('\n')}\n\n`;
}

function sentence(ordered: readonly string[]): string {
  const [name = '', , , broke = '', times = ''] = cells(ordered[0] ?? '');
  if (broke === '') return '**Nothing broke.**';
  return `**First breaks: ${name}**, with ${broke}, ${times} times what Steward is made for.`;
}

/** What broke, the least room first; then what did not, as it was given. */
function inOrder(rows: readonly string[]): readonly string[] {
  return rows.toSorted((one, other) => {
    const [a, b] = [roomOf(one), roomOf(other)];
    return a === b ? 0 : a - b;
  });
}

function roomOf(row: string): number {
  const [, , , broke, times] = cells(row);
  return broke === '' ? Number.POSITIVE_INFINITY : Number(times);
}
