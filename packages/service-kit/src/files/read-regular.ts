import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { errorCode } from '../process/errors.ts';

const { O_RDONLY, O_NONBLOCK: noWait = 0, O_NOFOLLOW: noLink = 0 } = constants;

/** Far more than a service keeps in a file that it reads whole. */
const mostKeptBytes = 64 * 1024 * 1024;

/** What lies there is nothing that anybody keeps. Its code is in words, for the brackets in which a system's code would stand. */
export class StrangeFile extends Error {
  override readonly name = 'StrangeFile';
  readonly code: string;

  constructor(what: string, path: string) {
    super(`${path}: ${what}`);
    this.code = what;
  }
}

export interface RegularReading {
  /** For what people edit, and may keep elsewhere. */
  readonly followsLinks?: boolean;
  readonly mostBytes?: number;
}

/**
 * Reads a file that others may have put there. A pipe would be waited for without end, and a device read without one; a link to
 * another's file would be taken for this one. Throws for these at once.
 */
export async function readRegular(
  path: string,
  { followsLinks = false, mostBytes = mostKeptBytes }: RegularReading = {},
): Promise<Buffer> {
  const flags = O_RDONLY | noWait | (followsLinks ? 0 : noLink);
  const file = await open(path, flags).catch(async (error: unknown) => {
    if (followsLinks && errorCode(error) === 'ENOENT') await refuseLostLink(path);
    throw strangeOf(error, path);
  });
  try {
    refuseOthers(await file.stat(), path);
    const parts: Buffer[] = [];
    // The end is read, too: one byte more than there may be, by which it shows.
    for await (const part of file.createReadStream({ end: mostBytes, autoClose: false })) parts.push(part);
    return within(mostBytes, Buffer.concat(parts), path);
  } finally {
    await file.close();
  }
}

/** Where no file is found: what a link leads to may be away, on a volume that is not mounted, and is not the same as none. */
export async function refuseLostLink(path: string): Promise<void> {
  if (await isLink(path)) throw new StrangeFile('the file that it links to is missing', path);
}

export async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

/** Or a link to one. For what is opened by others, such as SQLite, who would wait without end for somebody to write into it. */
export function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}

/** As `readRegular`, for a small file, where nothing else may happen meanwhile. */
export function readRegularSync(path: string, mostBytes: number): Buffer {
  const buffer = Buffer.alloc(mostBytes + 1);
  let file: number;
  try {
    file = openSync(path, O_RDONLY | noWait | noLink);
  } catch (error) {
    throw strangeOf(error, path);
  }
  try {
    refuseOthers(fstatSync(file), path);
    return within(mostBytes, buffer.subarray(0, readSync(file, buffer)), path);
  } finally {
    closeSync(file);
  }
}

function refuseOthers(stats: Stats, path: string): void {
  if (!stats.isFile()) throw new StrangeFile(notFile, path);
}

function within(mostBytes: number, bytes: Buffer, path: string): Buffer {
  if (bytes.length <= mostBytes) return bytes;
  throw new StrangeFile(`it has more than ${mostBytes} bytes`, path);
}

const notFile = 'it is not a file';

/** What the system says of a link that is not to be followed, and of a socket. */
const strangeCodes = new Map([
  ['ELOOP', 'it is a link'],
  ['ENXIO', notFile],
]);

function strangeOf(error: unknown, path: string): unknown {
  const what = strangeCodes.get(errorCode(error) ?? '');
  return what === undefined ? error : new StrangeFile(what, path);
}
