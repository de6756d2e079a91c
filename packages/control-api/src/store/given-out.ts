import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushDirectorySync } from '@steward/service-kit/files/flush-directory';
import { readRegularSync } from '@steward/service-kit/files/read-regular';
import { errorCode } from '@steward/service-kit/process/errors';
import { parseCursor, printCursor } from '../game/state/event-log.ts';
import type { EventLogPlace, EventMark } from './tables/events.ts';

const { O_WRONLY, O_CREAT, O_NONBLOCK: noWait = 0, O_NOFOLLOW: noLink = 0 } = constants;

/** Beside the database, and in no backup: how far cursors may have been given out, whatever is put in the database's place. */
export const givenOutName = 'steward.cursor';

/** That of the longest cursor: what is written takes the place of what was there, which no full disk and no power cut leaves empty. */
const width = 48;
/** Whatever an operator may have added to it. */
const mostBytes = 1024;

/**
 * To be called once the database knows it, and before any of it is given out; returns whether it is written down. `isFirst`: of a
 * process; it waits for the disk.
 */
export function noteGivenOut(path: string, { epoch, reserved: number }: EventMark, isFirst = false): boolean {
  const line = `${printCursor({ epoch, number }).padEnd(width)}\n`;
  try {
    // Through a link that somebody has put there, it would be written into another file; a pipe would keep all waiting.
    const file = openSync(path, O_WRONLY | O_CREAT | noWait | noLink);
    try {
      writeSync(file, line);
      if (isFirst) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (isFirst) flushDirectorySync(dirname(path));
    return true;
  } catch {
    // A disk that does not take it is said by what has to be kept.
    return false;
  }
}

/**
 * To be called where it goes down, before the database does: after a power cut a higher number would say that the database is another.
 * Resolves with whether the disk has it. Nobody is kept waiting by a disk that hangs.
 */
export async function noteLowered(path: string, mark: EventMark): Promise<boolean> {
  noteGivenOut(path, mark);
  try {
    await using file = await open(path, O_WRONLY | noWait | noLink);
    await file.sync();
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the database is not the one that was here last, or may not be: put back from a backup, or begun where there was one. Nothing
 * is written down beside one whose first process was killed before it gave anything out.
 */
export function isAnother(path: string, { epoch, reserved, keptTo }: EventLogPlace): boolean {
  const noted = parseCursor(textOf(path).trim());
  if (epoch === '') return noted.ok;
  if (!noted.ok) return keptTo > 0;
  return noted.value.epoch !== epoch || noted.value.number > reserved;
}

function textOf(path: string): string {
  try {
    return readRegularSync(path, mostBytes).toString();
  } catch (error) {
    // Any other trouble is the disk's: nothing is known of what lies there.
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
