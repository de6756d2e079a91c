import { rm } from 'node:fs/promises';
import type { Clock, Timer } from '@steward/service-kit/clock';
import { JsonFormat } from '@steward/service-kit/files/json-format';
import { readRegular } from '@steward/service-kit/files/read-regular';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import { drainLimits, drainWhens } from '@steward/shared/drain';
import { timestamp } from '@steward/shared/wire-values';
import { z } from 'zod';
import type { NewerFiles } from '../store/directory/newer-files.ts';

/** What is to be done, and until when it may wait. */
const drainOrder = z.object({
  when: z.enum(drainWhens),
  restart: z.boolean(),
  // Nobody new comes in while it waits: a file may keep players out no longer than a request.
  minutes: z.number().min(0).max(drainLimits.mostMinutes),
  seconds: z.number().min(0).max(drainLimits.mostSeconds),
  message: z.string().optional(),
});

export type DrainOrder = z.infer<typeof drainOrder>;

export const drainFileName = 'drain.json';

const version = 1;

const waiting = z.object({
  version: z.literal(version),
  order: drainOrder,
  operationId: z.string(),
  startedAt: timestamp,
});

export type WaitingDrain = Omit<z.infer<typeof waiting>, 'version'>;

export const drainFormat = new JsonFormat<z.infer<typeof waiting>>(version, waiting);

/** So long after it could not be taken away it is tried again. */
const removeAgainMs = 5_000;

export interface DrainFileParts {
  readonly newerFiles: Pick<NewerFiles, 'met'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

/** A drain that waits, kept for the process that follows one that was killed. One that has begun to end ends with its process. */
export class DrainFile {
  readonly #path: string;
  readonly #parts: DrainFileParts;
  #removing: Promise<void> = Promise.resolve();
  #again: Timer | undefined;
  #whyItStays: string | undefined;

  constructor(path: string, parts: DrainFileParts) {
    this.#path = path;
    this.#parts = parts;
  }

  /** What cannot be read is taken for none: then players come in, which is what they do where nobody has said otherwise. */
  async read(): Promise<WaitingDrain | undefined> {
    let text: string;
    try {
      text = (await readRegular(this.#path)).toString();
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    const read = drainFormat.read(text);
    if (read.kind === 'newer') this.#parts.newerFiles.met(this.#path, read);
    return read.kind === 'content' ? read.content : undefined;
  }

  async write(drain: WaitingDrain): Promise<void> {
    await this.#removing;
    this.close();
    await replaceFile(this.#path, `${JSON.stringify({ version, ...drain })}\n`);
  }

  /** Tried until it is gone, or another waits: one that stays goes on after a restart by which its operation is forgotten. */
  async remove(): Promise<void> {
    this.#removing = rm(this.#path, { force: true }).then(
      () => {
        this.#whyItStays = undefined;
      },
      (error) => {
        const { clock, log } = this.#parts;
        const why = errorCode(error);
        // What is tried again and again is told of once.
        if (why !== this.#whyItStays)
          log.warn({ err: error }, 'the record of a drain cannot be deleted: that is tried again');
        this.#whyItStays = why;
        this.close();
        this.#again = clock.after(removeAgainMs, () => void this.remove());
      },
    );
    await this.#removing;
  }

  close(): void {
    this.#again?.cancel();
  }
}
