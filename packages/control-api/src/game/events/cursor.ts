import { accepted, type Parsed, refused } from '@steward/shared/parsed';

/** A place in the event log: `<epoch>-<number of the last event seen>`. */
export interface Cursor {
  readonly epoch: string;
  readonly number: number;
}

const grammar = /^([a-z0-9]{1,32})-(0|[1-9][0-9]{0,14})$/;

export function parseCursor(text: string): Parsed<Cursor> {
  const match = grammar.exec(text);
  const [, epoch, number] = match ?? [];
  if (epoch === undefined || number === undefined)
    return refused('is not a cursor that this server gives out');
  return accepted({ epoch, number: Number(number) });
}

export function printCursor({ epoch, number }: Cursor): string {
  return `${epoch}-${number}`;
}
