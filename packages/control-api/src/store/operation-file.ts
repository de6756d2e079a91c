import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import type { Operation } from '../game/operations/operation.ts';
import { OperationIndex } from '../game/operations/operation-index.ts';
import type { OperationStore } from '../game/operations/operations.ts';
import type { NewerFiles } from './newer-files.ts';
import { firstLine, lineOf, readOperations } from './operations-format.ts';
import type { StateDirectory } from './state-directory.ts';

/** Lines beyond those still remembered before the file is written anew. */
const staleLines = 4_000;

export interface OperationFileParts {
  readonly log: Log;
  readonly now: () => Date;
  readonly newerFiles: NewerFiles;
  readonly disk: Pick<StateDirectory, 'failed'>;
}

interface Waiting {
  readonly written: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * A line for each change, synced before it counts. A line that was cut off by a power loss is passed over: what it
 * said had not been acted upon. Writes that come together share one sync.
 */
export class OperationFile implements OperationStore {
  readonly #path: string;
  readonly #log: Log;
  readonly #index: OperationIndex;
  readonly #newerFiles: NewerFiles;
  readonly #disk: OperationFileParts['disk'];
  #unreadable: string | undefined;
  #handle: FileHandle | undefined;
  #queue: string[] = [];
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #lines = 0;

  constructor(path: string, { log, now, newerFiles, disk }: OperationFileParts) {
    this.#path = path;
    this.#log = log;
    this.#newerFiles = newerFiles;
    this.#disk = disk;
    this.#index = new OperationIndex(now);
  }

  async load(): Promise<Operation[]> {
    await makeDirectory(dirname(this.#path));
    const read = readOperations(await readIfPresent(this.#path));
    if (read.kind === 'newer') {
      const { reason, remedy } = this.#newerFiles.met(this.#path, read);
      this.#unreadable = `${reason}. ${remedy}`;
      return [];
    }
    if (read.unreadable > 0)
      this.#log.warn({ path: this.#path, lines: read.unreadable }, 'unreadable lines in the operations file');
    for (const operation of read.operations) this.#index.put(operation);
    await this.#rewrite().catch((error) => {
      this.#log.warn({ err: error, path: this.#path }, 'the operations file cannot be written yet');
      this.#brokenOff(error);
    });
    return this.#index.values();
  }

  get unreadable(): string | undefined {
    return this.#unreadable;
  }

  async write(changed: Operation): Promise<void> {
    this.#index.put(changed);
    if (this.#unreadable !== undefined) return;
    this.#queue.push(lineOf(changed));
    await this.#written();
  }

  async close(): Promise<void> {
    await this.#again().catch(() => {});
    await this.#writing;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** What could not be kept is kept as soon as it can be. */
  async #again(): Promise<void> {
    if (this.#lines === Number.POSITIVE_INFINITY) await this.#written();
  }

  #written(): Promise<void> {
    const done = new Promise<void>((written, failed) => this.#waiting.push({ written, failed }));
    this.#writing ??= this.#drain();
    return done;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#queue;
      const waiting = this.#waiting;
      this.#queue = [];
      this.#waiting = [];
      try {
        if (this.#lines > staleLines + this.#index.size) await this.#rewrite();
        else await this.#append(lines);
        for (const { written } of waiting) written();
      } catch (error) {
        this.#brokenOff(error);
        for (const { failed } of waiting) failed(error);
      }
    }
    this.#writing = undefined;
  }

  /** The next write begins from a whole file again: this one may have left half a line. */
  #brokenOff(error: unknown): void {
    this.#disk.failed(error, () => this.#again());
    this.#lines = Number.POSITIVE_INFINITY;
  }

  async #append(lines: readonly string[]): Promise<void> {
    if (this.#handle === undefined) throw new Error('the operations file is not open');
    await this.#handle.appendFile(lines.join(''));
    await this.#handle.datasync();
    this.#lines += lines.length;
  }

  async #rewrite(): Promise<void> {
    const operations = this.#index.values();
    await this.#handle?.close();
    this.#handle = undefined;
    const lines = operations.map(lineOf);
    await replaceFile(this.#path, `${firstLine}${lines.join('')}`);
    this.#handle = await open(this.#path, 'a');
    this.#lines = operations.length;
  }
}

async function readIfPresent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return '';
    throw new OperatorError(
      `STATE_DIR: ${path}, which holds what became of commands, cannot be read (${code ?? error}): mend it, or move it away`,
    );
  }
}
