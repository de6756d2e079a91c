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

/** Whether the database is an older one that was put back, or may be: its numbers would be given out a second time. */
export function wasPutBack(path: string, { epoch, reserved }: EventMark): boolean {
  const noted = parseCursor(textOf(path).trim());
  return !noted.ok || noted.value.epoch !== epoch || noted.value.number > reserved;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
