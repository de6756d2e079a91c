import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileSteps } from '@steward/service-kit/files/replace-file';
import type { BridgeLog } from '../log.ts';
import { type Operation, operation } from './operation.ts';
import { OperationIndex } from './operation-index.ts';
import type { OperationStore } from './operation-store.ts';

/** Lines beyond those still remembered before the file is written anew. */
const staleLines = 4_000;

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
  readonly #log: BridgeLog;
  readonly #index: OperationIndex;
  #handle: FileHandle | undefined;
  #queue: string[] = [];
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #lines = 0;

  constructor(path: string, log: BridgeLog, now: () => Date) {
    this.#path = path;
    this.#log = log;
    this.#index = new OperationIndex(now);
  }

  async load(): Promise<Operation[]> {
    await mkdir(dirname(this.#path), { recursive: true });
    for (const line of (await readIfPresent(this.#path)).split('\n')) {
      if (line === '') continue;
      const read = readLine(line);
      if (read === undefined)
        this.#log.warn({ path: this.#path }, 'an unreadable line in the operations file');
      else this.#index.put(read);
    }
    await this.#rewrite();
    return this.#index.values();
  }

  write(changed: Operation): Promise<void> {
    this.#index.put(changed);
    this.#queue.push(`${JSON.stringify(changed)}\n`);
    const done = new Promise<void>((written, failed) => this.#waiting.push({ written, failed }));
    this.#writing ??= this.#drain();
    return done;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const lines = this.#queue;
      const waiting = this.#waiting;
      this.#queue = [];
      this.#waiting = [];
      try {
        if (this.#lines > staleLines + this.#index.values().length) await this.#rewrite();
        else await this.#append(lines);
        for (const { written } of waiting) written();
      } catch (error) {
        // The next write begins from a whole file again: this one may have left half a line.
        this.#lines = Number.POSITIVE_INFINITY;
        for (const { failed } of waiting) failed(error);
      }
    }
    this.#writing = undefined;
  }

  async #append(lines: readonly string[]): Promise<void> {
    if (this.#handle === undefined) throw new Error('the operations file is not open');
    await this.#handle.appendFile(lines.join(''));
    await this.#handle.datasync();
    this.#lines += lines.length;
  }

  async #rewrite(): Promise<void> {
    const operations = this.#index.values();
    const temporary = `${this.#path}.new`;
    const written = await open(temporary, 'w', 0o600);
    try {
      await written.writeFile(operations.map((kept) => `${JSON.stringify(kept)}\n`).join(''));
      await written.sync();
    } finally {
      await written.close();
    }
    await this.#handle?.close();
    this.#handle = undefined;
    await rename(temporary, this.#path);
    await fileSteps.flushDirectory(dirname(this.#path));
    this.#handle = await open(this.#path, 'a');
    this.#lines = operations.length;
  }
}

async function readIfPresent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

function readLine(line: string): Operation | undefined {
  try {
    return operation.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
