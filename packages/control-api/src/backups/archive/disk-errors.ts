import { errorCode, isOutOfRoom } from '@steward/service-kit/process/errors';
import { ArchiveError } from './archivist.ts';

const gone = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ESTALE']);

/** What the disk said to one that writes an archive, or from one; anything else as it is. */
export function writing(what: string): (error: unknown) => unknown {
  return (error) => {
    if (!isOfTheDisk(error)) return error;
    const kind = isOutOfRoom(error) ? 'no-room' : 'unwritable';
    return new ArchiveError(kind, `${what} cannot be written${said(error)}`, { cause: error });
  };
}

/** What the disk said to one that reads; what was there and is gone has changed. */
export function reading(what: string, wasThere: boolean): (error: unknown) => unknown {
  return (error) => {
    if (!isOfTheDisk(error)) return error;
    const kind = wasThere && gone.has(errorCode(error) ?? '') ? 'changed' : 'unreadable';
    return new ArchiveError(kind, `${what} cannot be read${said(error)}`, { cause: error });
  };
}

/** Of a change of a mode or a time: a disk that refuses it, such as a share whose mount sets them, has the file without it. */
export function passRefused(error: unknown): void {
  if (errorCode(error) !== 'EPERM') throw error;
}

/** Does it, and says of an error of the disk what was done. */
export function saying<T>(as: (error: unknown) => unknown, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw as(error);
  }
}

function isOfTheDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function said(error: unknown): string {
  return ` (${errorCode(error)})`;
}
