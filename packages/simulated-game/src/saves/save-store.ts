import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { flushDirectorySync } from '@steward/service-kit/files/flush-directory';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import { type FarmState, farmState, saveName } from './farm-state.ts';
import { fieldsOf, infoFile, infoFileOf, mainFile, stateIn } from './save-files.ts';

/** Where saves live. What `load` gives is a copy: changing it changes no save. */
export interface SaveStore {
  load(): FarmState | undefined;
  write(state: FarmState): void;
  /** All that there are. */
  list(): readonly KeptSave[];
  /** From now on `load` and `write` are of this farm, also after the next start once it was written. */
  choose(farmId: string): void;
}

export interface KeptSave {
  readonly state: FarmState;
  readonly writtenAt: Date;
}

/** A save that lives as long as the process: for tests, and for a farm that should forget. */
export class MemorySaves implements SaveStore {
  readonly #saved = new Map<string, string>();
  #farmId: string | undefined;

  load(): FarmState | undefined {
    const saved = this.#saved.get(this.#farmId ?? '');
    return saved === undefined ? undefined : farmState.parse(JSON.parse(saved));
  }

  write(state: FarmState): void {
    this.#farmId = state.farmId;
    this.#saved.set(state.farmId, JSON.stringify(state));
  }

  list(): readonly KeptSave[] {
    return [...this.#saved.values()].map((saved) => ({
      state: farmState.parse(JSON.parse(saved)),
      writtenAt: new Date(0),
    }));
  }

  choose(farmId: string): void {
    this.#farmId = farmId;
  }
}

export interface SaveFoldersOptions {
  readonly directory: string;
  /** Which of them is opened; the only one where nothing is said. */
  readonly name?: string;
  /** How large a save is at least. */
  readonly bytes?: number;
}

// As the real game calls them.
const beingWritten = '_STARDEWVALLEYSAVETMP';
const before = '_old';

/** Names the folder that was chosen while the farm was open. */
const chosenFile = '.chosen';

/** What an earlier version kept beside where the folders are now. */
const earlierFile = 'save.json';

/**
 * A folder for each save, as the real game has them: a crash at any moment leaves the old save or the new one. A save is several files,
 * replaced one after the other, each with the one before it beside it.
 */
export class SaveFolders implements SaveStore {
  readonly #options: SaveFoldersOptions;
  readonly #fields: Buffer;
  /** The one that was opened, or founded: from then on no other. */
  #name: string | undefined;
  #isToBeNoted = false;

  constructor(options: SaveFoldersOptions) {
    this.#options = options;
    this.#fields = fieldsOf(options.bytes ?? 0);
  }

  /** The folder of the farm; undefined before there is one. */
  get name(): string | undefined {
    return this.#name;
  }

  load(): FarmState | undefined {
    this.#name ??= this.#toBeOpened();
    if (this.#name === undefined) return this.#takeUpEarlier();
    const path = join(this.#options.directory, this.#name, this.#name);
    return this.#read(path, stateIn);
  }

  write(state: FarmState): void {
    this.#name ??= nameFor(state);
    const folder = join(this.#options.directory, this.#name);
    mkdirSync(folder, { recursive: true });
    const number = this.#name.slice(this.#name.lastIndexOf('_') + 1);
    const files = [
      { path: join(folder, this.#name), pieces: mainFile(state, number, this.#fields) },
      { path: join(folder, infoFile), pieces: infoFileOf(state) },
    ];
    for (const { path, pieces } of files) writeWhole(path + beingWritten, pieces);
    for (const { path } of files) {
      rmSync(path + before, { force: true });
      // By a second name, so that there is a save under its own at every moment.
      if (existsSync(path)) linkSync(path, path + before);
      renameSync(path + beingWritten, path);
    }
    flushDirectorySync(folder);
    if (this.#isToBeNoted) this.#noteChosen(this.#name);
  }

  list(): readonly KeptSave[] {
    const { directory } = this.#options;
    return savesIn(directory).flatMap((name) => {
      const path = join(directory, name, name);
      const writtenAt = statSync(path).mtime;
      // What another game wrote, or what is not whole, is no farm of this one.
      const state = tried(() => stateIn(readFileSync(path, 'utf8')));
      return state === undefined ? [] : [{ state, writtenAt }];
    });
  }

  choose(farmId: string): void {
    const { directory } = this.#options;
    const isOf = (name: string) =>
      stateIn(readFileSync(join(directory, name, name), 'utf8')).farmId === farmId;
    this.#name = savesIn(directory).find((name) => tried(() => isOf(name)));
    this.#isToBeNoted = true;
  }

  /** Only once its save is whole: until then the next start opens the farm before. */
  #noteChosen(name: string): void {
    const path = join(this.#options.directory, chosenFile);
    writeWhole(path + beingWritten, [name]);
    renameSync(path + beingWritten, path);
    flushDirectorySync(this.#options.directory);
    this.#isToBeNoted = false;
  }

  #toBeOpened(): string | undefined {
    const { directory, name } = this.#options;
    const names = savesIn(directory);
    const chosen = tried(() => readFileSync(join(directory, chosenFile), 'utf8'));
    if (chosen !== undefined && names.includes(chosen)) return chosen;
    const there = names.length === 0 ? 'none' : names.join(', ');
    if (name !== undefined && !names.includes(name))
      throw new OperatorError(
        `FARM_SAVE_NAME is ${name}, which is not one of the saves in ${directory}: ${there}`,
      );
    if (name === undefined && names.length > 1)
      throw new OperatorError(
        `there are several saves in ${directory}: name the one to open in FARM_SAVE_NAME, of ${there}`,
      );
    return name ?? names[0];
  }

  /** Written into a folder at once, and left where it was: with a folder there nobody looks at it again. */
  #takeUpEarlier(): FarmState | undefined {
    const path = join(dirname(this.#options.directory), earlierFile);
    if (!existsSync(path)) return undefined;
    const state = this.#read(path, (text) => farmState.parse(JSON.parse(text)));
    this.write(state);
    return state;
  }

  #read(path: string, parse: (text: string) => FarmState): FarmState {
    try {
      return parse(readFileSync(path, 'utf8'));
    } catch {
      throw new OperatorError(
        `the save ${path} cannot be read: move it away to create a new farm, or replace it with a backup`,
      );
    }
  }
}

function tried<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The folders in which there is a save; what else lies there is nobody's business. */
function savesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => existsSync(join(directory, name, name)))
      .toSorted();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    if (errorCode(error) !== 'ENOTDIR') throw error;
    throw new OperatorError(`FARM_SAVES_DIR is ${directory}, which is not a directory`);
  }
}

/** A farm's id is the name of its folder, but for farms of an earlier version, which keep the id that they had. */
function nameFor({ farmId, farmName }: FarmState): string {
  if (/_[0-9]+$/.test(farmId)) return farmId;
  return saveName(farmName, farmId.replaceAll(/[^0-9]/g, '') || '1');
}

function writeWhole(path: string, pieces: readonly (string | Buffer)[]): void {
  const file = openSync(path, 'w');
  try {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
