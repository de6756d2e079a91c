import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import { type FarmState, farmState } from './farm-state.ts';

/** Where saves live. What `load` gives is a copy: changing it changes no save. */
export interface SaveStore {
  load(): FarmState | undefined;
  write(state: FarmState): void;
}

/** A save that lives as long as the process: for tests, and for a farm that should forget. */
export class MemorySaves implements SaveStore {
  #saved: string | undefined;

  load(): FarmState | undefined {
    return this.#saved === undefined ? undefined : farmState.parse(JSON.parse(this.#saved));
  }

  write(state: FarmState): void {
    this.#saved = JSON.stringify(state);
  }
}

/** One file, replaced as a whole: a crash at any moment leaves the old save or the new one, never half of either. */
export class FileSaves implements SaveStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  load(): FarmState | undefined {
    const text = readIfThere(this.#path);
    if (text === undefined) return undefined;
    try {
      return farmState.parse(JSON.parse(text));
    } catch {
      throw new OperatorError(`the save ${this.#path} cannot be read: move it away to found a new farm`);
    }
  }

  write(state: FarmState): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    const beside = `${this.#path}.new`;
    const file = openSync(beside, 'w');
    try {
      writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, this.#path);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
