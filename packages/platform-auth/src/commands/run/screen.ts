import type { Writable } from 'node:stream';

/** The output side of a terminal. */
export interface Screen extends Writable {
  readonly columns: number;
  readonly rows: number;
}

/** A terminal that has just been made for a container says 0 until it is told its size. */
export function sizeOf({
  columns,
  rows,
}: Pick<Screen, 'columns' | 'rows'>): Pick<Screen, 'columns' | 'rows'> {
  return { columns: columns || 80, rows: rows || 24 };
}
