import type { Writable } from 'node:stream';

/** The output side of a terminal. */
export interface Screen extends Writable {
  readonly columns: number;
  readonly rows: number;
}
