import { newerThan, type Read, versionIn } from '@steward/service-kit/files/json-format';
import { readRegular, StrangeFile } from '@steward/service-kit/files/read-regular';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import { readJson } from '@steward/service-kit/json';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import type { Post } from './posts.ts';

const version = 1;

/** Far more than a post and the places take. */
const mostBytes = 64 * 1024;

const away = 'move it away to start with new messages';

/** How far each direction has come: all that the bot keeps. */
export interface Places {
  /** The channel that the ids are of. */
  channel: string;
  /** In the farm's events: everything before it is shown in the channel. */
  farm?: string | undefined;
  /** In the channel: everything before it was said in the game, or told to be not. */
  discord?: string | undefined;
  /** What was being posted when this was written; nobody knows whether Discord has it. */
  posting?: Post | undefined;
}

type Replace = (path: string, content: string) => Promise<void>;

/** The file with the places. Each write holds all that has changed before it began. */
export class PlacesFile {
  readonly places: Places;
  readonly #path: string;
  readonly #replace: Replace;
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string, places: Places, replace: Replace = replaceFile) {
    this.#path = path;
    this.places = places;
    this.#replace = replace;
  }

  /** Reads what is there of this channel; another channel begins anew, the farm's place stays. */
  static async read(path: string, channel: string): Promise<PlacesFile> {
    const kept = readPlaces(path, await textOf(path));
    if (kept?.channel === channel) return new PlacesFile(path, kept);
    return new PlacesFile(path, { channel, ...(kept?.farm === undefined ? {} : { farm: kept.farm }) });
  }

  /** Resolves when what the places are now is on the disk. Many that ask while one write goes on share the next. */
  save(): Promise<void> {
    if (this.#writing === undefined) return this.#write();
    this.#next ??= this.#writing.then(
      () => this.#write(),
      () => this.#write(),
    );
    return this.#next;
  }

  /** For what is told twice at the worst, and done once all the same. A disk that takes nothing is told by who has to wait for it. */
  saveSoon(): void {
    void this.save().catch(() => {});
  }

  #write(): Promise<void> {
    this.#next = undefined;
    const content = `${JSON.stringify({ version, ...this.places })}\n`;
    const writing = this.#replace(this.#path, content).finally(() => {
      if (this.#writing === writing) this.#writing = undefined;
    });
    this.#writing = writing;
    return writing;
  }
}

/** As other services have theirs, without the library that checks those: it would be a good part of what the bot takes of memory. */
export const placesFormat = {
  read(text: string): Read<Places> {
    const json = readJson(text);
    const newer = newerThan(version, versionIn(json));
    if (newer !== undefined) return newer;
    const content = placesIn(json);
    return content === undefined ? { kind: 'corrupt' } : { kind: 'content', content };
  },
};

function placesIn(json: unknown): Places | undefined {
  if (typeof json !== 'object' || json === null || !('version' in json)) return undefined;
  const { version: written, ...places } = json;
  return written === version && isPlaces(places) ? places : undefined;
}

function isPlaces(json: object): json is Places {
  const { channel, farm = '', discord = '0' } = json as Record<string, unknown>;
  return typeof channel === 'string' && typeof farm === 'string' && /^\d+$/.test(String(discord));
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return String(await readRegular(path, { mostBytes }));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    const remedy = error instanceof StrangeFile ? away : 'make it readable';
    throw new OperatorError(`${path} cannot be read (${code ?? error}): ${remedy}`);
  }
}

/** A file that nobody can read is left as it is: to begin anew is for who runs the bot to decide. */
function readPlaces(path: string, text: string | undefined): Places | undefined {
  if (text === undefined) return undefined;
  const read = placesFormat.read(text);
  switch (read.kind) {
    case 'content':
      return read.content;
    case 'newer':
      throw new OperatorError(`${path} ${read.reason}: update the bot, or ${away}`);
    case 'corrupt':
      throw new OperatorError(`${path} is broken: ${away}`);
  }
}
