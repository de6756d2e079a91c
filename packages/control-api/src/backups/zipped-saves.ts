import { createWriteStream } from 'node:fs';
import { chmod, mkdir, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { errorCode, isOutOfRoom } from '@steward/service-kit/process/errors';
import { inBytes } from '@steward/service-kit/text/amounts';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import { archiveLimits, nameProblem } from './archive/archive-format.ts';
import { passRefused } from './archive/disk-errors.ts';
import { freeBytes } from './backup-directory.ts';
import { cannotBeRead, infoName, SaveError } from './saves.ts';

const mostBytes = 4 * 1_024 ** 3;

/** Whatever the mode was where the zip was made. */
const asGamesDo = 0o644;

/** What macOS puts beside everything. */
const macFolder = '__MACOSX';

/** The saves in a zip, by their ways in it. */
export async function savesInZip(path: string): Promise<readonly string[]> {
  const files = (await zipEntries(path)).filter((entry) => !isFolder(entry)).map(({ fileName }) => fileName);
  const names = new Set(files);
  return files
    .filter((file) => basename(file) === infoName)
    .map(dirname)
    .filter((folder) => names.has(`${folder}/${basename(folder)}`));
}

/** Puts one of the saves of a zip into a folder that is not there yet; what it has written when it throws is for the caller to take away. */
export async function unzipSave(path: string, save: string, to: string): Promise<void> {
  const entries = (await zipEntries(path)).filter(({ fileName }) => fileName.startsWith(`${save}/`));
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  await mkdir(to, { recursive: true, mode: 0o700 });
  const free = await freeBytes(to);
  if (bytes > free) throw new SaveError(`it has ${inBytes(bytes)}, and there are ${inBytes(free)} free`);
  await reading(path, async (zip) => {
    for await (const entry of entriesOf(zip)) {
      const below = entry.fileName.slice(save.length + 1);
      if (!entry.fileName.startsWith(`${save}/`) || below === '') continue;
      if (isFolder(entry)) await mkdir(join(to, below), { recursive: true });
      else await write(zip, entry, join(to, below));
    }
  });
}

async function write(zip: ZipFile, entry: Entry, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  let sum = 0;
  const content = await zip.openReadStreamPromise(entry);
  await pipeline(
    content,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sum = crc32(chunk, sum);
        yield chunk;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: asGamesDo }),
  );
  if (sum !== entry.crc32) throw new SaveError(`${entry.fileName} is damaged in the zip`);
  await chmod(to, asGamesDo).catch(passRefused);
  const at = entry.getLastModDate();
  await utimes(to, at, at).catch(passRefused);
}

const utf8Flag = 0x800;
/** What stands for bytes that are no UTF-8. */
const unreadable = '\uFFFD';
const unstated = 'has a name in an encoding that the zip does not state: import the folder instead';
const isWestern = /^[\p{ASCII}\p{Script=Latin}]*$/u;

/**
 * Its entries, by names in UTF-8 also where the zip does not say that they are, as one of macOS does not: they would be read in a code page.
 * One of Windows is in that of its country, of which the western ones have most letters at the same place: a guess that has yet to be confirmed.
 * What leads out of a zip is ASCII, and the same in all.
 */
async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for await (const entry of zip.eachEntry()) {
    const name = inUtf8(entry);
    if (!(name.includes(unreadable) && isWestern.test(entry.fileName))) entry.fileName = name;
    yield entry;
  }
}

function inUtf8({ generalPurposeBitFlag: flags, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(flags | utf8Flag, fileNameRaw, extraFields, false);
}

/** Throws where the name of a save was read in a code page, and the farm that the save itself names has not its letters. */
export async function confirmName(path: string, save: string, farmName = ''): Promise<void> {
  const guessed = (await zipEntries(path)).filter(
    (entry) => entry.fileName.startsWith(`${save}/`) && entry.fileName !== inUtf8(entry),
  );
  const letters = basename(save).match(/[^\p{ASCII}]/gu) ?? [];
  if (guessed.length > 0 && !letters.every((letter) => farmName.normalize().includes(letter)))
    throw new SaveError(`${JSON.stringify(save)} ${unstated}`);
}

/** All that is in it, where all of that may be. */
async function zipEntries(path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  await reading(path, async (zip) => {
    for await (const entry of entriesOf(zip)) {
      if (entry.fileName.split('/')[0] === macFolder) continue;
      const problem = problemOf(entry);
      if (problem !== undefined) throw new SaveError(`${JSON.stringify(entry.fileName)} ${problem}`);
      entries.push(entry);
      bytes += entry.uncompressedSize;
      if (entries.length > archiveLimits.entries || bytes > mostBytes)
        throw new SaveError(
          `it has more than ${archiveLimits.entries} files or ${inBytes(mostBytes)}: zip only the save`,
        );
    }
  });
  const names = new Set<string>();
  for (const { fileName } of entries) {
    if (names.has(fileName)) throw new SaveError(`${JSON.stringify(fileName)} is in it twice`);
    names.add(fileName);
  }
  return entries;
}

const typeBits = 0o170000;
const [folderType, fileType] = [0o040000, 0o100000];

function problemOf(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'is encrypted: zip the save without a password';
  if (!entry.canDecodeFileData()) return 'uses an unknown compression: zip the save again';
  const type = (entry.externalFileAttributes >>> 16) & typeBits;
  if (type !== 0 && type !== folderType && type !== fileType) return 'is a link, or not a file';
  if (entry.fileName.includes(unreadable)) return unstated;
  const names = entry.fileName.replace(/\/$/, '').split('/');
  const problem = names.map(nameProblem).find((each) => each !== undefined);
  return problem === undefined ? undefined : `has a name that leads out of the zip: a part of it ${problem}`;
}

function isFolder({ fileName }: Entry): boolean {
  return fileName.endsWith('/');
}

async function reading(path: string, work: (zip: ZipFile) => Promise<void>): Promise<void> {
  const said = (error: unknown): never => {
    if (error instanceof SaveError) throw error;
    if (isOutOfRoom(error))
      throw new SaveError(
        `there is no room to unpack it in BACKUP_DIR (${errorCode(error)}): free some space there`,
        { cause: error },
      );
    throw new SaveError(`it is not a complete zip: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  };
  const zip = await openPromise(path, { autoClose: false }).catch(cannotBeRead).catch(said);
  try {
    await work(zip).catch(said);
  } finally {
    zip.close();
  }
}
