import { readFile } from 'node:fs/promises';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import type { Post } from './posts.ts';

const version = 1;

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

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new OperatorError(`${path} cannot be read (${errorCode(error) ?? error}): make it readable`);
  }
}

function isPlaces({ channel, farm = '', discord = '0' }: Record<string, unknown>): boolean {
  return typeof channel === 'string' && typeof farm === 'string' && /^\d+$/.test(String(discord));
}

/** A file that nobody can read is left as it is: to begin anew is for who runs the bot to decide. */
function readPlaces(path: string, text: string | undefined): Places | undefined {
  if (text === undefined) return undefined;
  try {
    const { version: written, ...places } = JSON.parse(text);
    if (written === version && isPlaces(places)) return places;
  } catch {}
  throw new OperatorError(
    `${path} is from another version, or broken: move it away to start with new messages`,
  );
}
