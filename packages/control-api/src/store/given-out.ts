import { readFileSync, writeFileSync } from 'node:fs';
import { parseCursor, printCursor } from '../game/events/event-log.ts';
import type { EventMark } from './events.ts';

/** Beside the database, and in no backup: how far cursors may have been given out, whatever is put in the database's place. */
export const givenOutName = 'steward.cursor';

/** To be called once the database knows it, and before any of it is given out; where it goes down, before the database does. */
export function noteGivenOut(path: string, { epoch, reserved: number }: EventMark): void {
  try {
    writeFileSync(path, `${printCursor({ epoch, number })}\n`);
  } catch {
    // A disk that does not take it is said by what has to be kept.
  }
}

/** Whether the database is not the one that was here last, or may not be: put back from a backup, or begun where there was one. */
export function isAnother(path: string, { epoch, reserved }: EventMark): boolean {
  const noted = parseCursor(textOf(path).trim());
  if (epoch === '') return noted.ok;
  return !noted.ok || noted.value.epoch !== epoch || noted.value.number > reserved;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
