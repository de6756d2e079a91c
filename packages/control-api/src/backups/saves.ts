import { constants } from 'node:fs';
import { open as openFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode } from '@steward/service-kit/process/errors';
import { farmId } from '@steward/shared/bridge/hello';
import { season } from '@steward/shared/bridge/state';
import { SaxesParser } from 'saxes';
import type { Manifest } from './archive/manifest.ts';

/** Beside the file of the folder's own name, in each save. */
export const infoName = 'SaveGameInfo';

/** What a save says of itself. */
export interface SaveFacts {
  /** Of its folder: the farm's name and a number. */
  readonly name: string;
  /** As a backup has it. */
  readonly farm: Pick<Manifest['farm'], 'farmId' | 'farmName' | 'day' | 'season' | 'year'>;
  readonly gameVersion?: string;
}

/** What is wrong with a save, in words that name the file. */
export class SaveError extends Error {}

export const saveName = /^.+_[0-9]+$/;

/** The folders in a directory that the game would take for a save, by name; throws where all that may be one cannot be read. */
export async function findSaves(directory: string): Promise<readonly string[]> {
  const names = (await readdir(directory, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  let unread: unknown;
  const found = await Promise.all(
    names.map(async (name) => {
      const folder = join(directory, name);
      const isOne = await isSave(folder).catch((error: unknown) => {
        unread ??= error;
        return false;
      });
      return isOne ? [folder] : [];
    }),
  );
  const saves = found.flat().toSorted();
  // What else lies beside a save need not be the farm's.
  if (saves.length === 0 && unread !== undefined) throw unread;
  return saves;
}

/** Whether it has the name and the two files of a save; whether these are whole is another question. */
export async function isSave(folder: string): Promise<boolean> {
  const name = basename(folder);
  if (!saveName.test(name)) return false;
  return (await isFile(join(folder, name))) && (await isFile(join(folder, infoName)));
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return false;
  }
}

export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '');
}

/** Of what somebody has brought: in a container it often belongs to another user. */
export function cannotBeRead(error: unknown): never {
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  const code = errorCode(error);
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  const remedy = isForbidden ? `: let user ${process.getuid?.()}, who runs this command, read it` : '';
  throw new SaveError(`it cannot be read (${code})${remedy}`, { cause: error });
}

/** Far more than the longest game makes of either. */
const infoBytes = 16 * 1_024 ** 2;
const saveBytes = 1_024 ** 3;

/** Reads the small file of a save; throws a SaveError for what the game would not have written. */
export async function readSave(folder: string): Promise<SaveFacts> {
  const name = basename(folder);
  const texts = await readXml(join(folder, infoName), infoBytes, [
    'farmName',
    'dayOfMonthForSaveGame',
    'seasonForSaveGame',
    'yearForSaveGame',
    'gameVersion',
  ]);
  const farmName = texts.get('farmName');
  if (farmName === undefined || farmName === '')
    throw new SaveError(`${infoName} names no farm: the game did not write this file`);
  const id = farmId.safeParse(name);
  const date = {
    day: whole(texts.get('dayOfMonthForSaveGame'), 1, 28),
    season: season.options[whole(texts.get('seasonForSaveGame'), 0, 3) ?? -1],
    year: whole(texts.get('yearForSaveGame'), 1, Number.MAX_SAFE_INTEGER),
  };
  const gameVersion = texts.get('gameVersion');
  return {
    name,
    farm: { farmName, ...(id.success ? { farmId: id.data } : {}), ...withoutUndefined(date) },
    ...(gameVersion === undefined ? {} : { gameVersion }),
  };
}

/** Reads all of a save, and throws a SaveError where its files are not whole, or not of one another. */
export async function checkSave(folder: string): Promise<SaveFacts> {
  const facts = await readSave(folder);
  const { name, farm } = facts;
  const texts = await readXml(join(folder, name), saveBytes, [
    'uniqueIDForThisGame',
    'player/farmName',
    'dayOfMonth',
    'currentSeason',
    'year',
  ]);
  const number = name.slice(name.lastIndexOf('_') + 1);
  const pairs = [
    ['number', number, texts.get('uniqueIDForThisGame')],
    ['farm', farm.farmName, texts.get('player/farmName')],
    ['day', farm.day, texts.get('dayOfMonth')],
    ['season', farm.season, texts.get('currentSeason')],
    ['year', farm.year, texts.get('year')],
  ] as const;
  for (const [what, told, other] of pairs) {
    if (told === undefined || other === undefined || String(told) === other) continue;
    const whose = what === 'number' ? 'its folder' : infoName;
    throw new SaveError(`${name} and ${whose} disagree: the ${what} is ${other}, and ${told}`);
  }
  return facts;
}

function whole(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || !/^[0-9]{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

function withoutUndefined<T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}

/** Deeper than any save is. */
const mostDepth = 256;
const longestText = 1_000;

/** Of one element: far more than the game gives any. */
const mostAttributes = 256;

/** Of text, comments and attributes the parser has all before it tells of any: more than the longest that a mod keeps in a save. */
const mostBetweenTags = 16 * 1_024 ** 2;

/** Since it was looked at, a pipe may have come in its place. */
const { O_RDONLY, O_NONBLOCK: noWait = 0 } = constants;

/**
 * The texts of elements by their way from the root, which is not named: things inside of things have names, too. Reads the file to its end,
 * so one that is cut off or is no XML is found; what names entities of its own is none of the game's.
 */
async function readXml(
  path: string,
  mostBytes: number,
  ways: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const name = basename(path);
  const texts = new Map<string, string>();
  const parser = new SaxesParser();
  const open: string[] = [];
  let text = '';
  let sinceTag = 0;
  let attributes = 0;
  parser.on('doctype', () => {
    throw new SaveError(`${name} has a document type, which the game never writes`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > mostAttributes) throw new SaveError(`${name} has an element of too many attributes`);
  });
  parser.on('opentag', (tag) => {
    open.push(tag.name);
    sinceTag = 0;
    attributes = 0;
    if (open.length > mostDepth) throw new SaveError(`${name} is nested too deeply`);
    text = '';
  });
  parser.on('text', (piece) => {
    if (text.length < longestText) text += piece.slice(0, longestText);
  });
  parser.on('closetag', () => {
    const way = open.slice(1).join('/');
    open.pop();
    sinceTag = 0;
    if (ways.includes(way) && !texts.has(way)) texts.set(way, text.trim());
    text = '';
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  try {
    const file = await openFile(path, O_RDONLY | noWait);
    for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new SaveError(`${name} has more than ${mostBytes} bytes`);
      sinceTag += chunk.length;
      if (sinceTag > mostBetweenTags)
        throw new SaveError(
          `${name} has ${mostBetweenTags} bytes without an element, which the game never writes`,
        );
      parser.write(decoder.decode(chunk, { stream: true }));
    }
    parser.write(decoder.decode());
    parser.close();
  } catch (error) {
    if (error instanceof SaveError) throw error;
    if (error instanceof Error && 'syscall' in error)
      throw new SaveError(`${name} cannot be read (${errorCode(error)})`, { cause: error });
    const where = error instanceof TypeError ? 'it is not UTF-8' : String((error as Error).message);
    throw new SaveError(`${name} is not a complete XML file: ${where}`, { cause: error });
  }
  return texts;
}
