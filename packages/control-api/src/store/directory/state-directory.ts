import { access, constants, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Timer } from '@steward/service-kit/clock';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import type { MendableTrouble } from '@steward/shared/problems/trouble';

/** Nobody may have to be refused first for it to be known. */
const lookEveryMs = 60_000;
const lookAgainMs = 5_000;

/** What a look writes, and takes away again. */
const trialBytes = 4 * 1024;
const trialName = '.writable';

/** Why what has to be kept cannot be, for the operator. */
export interface StateProblem extends MendableTrouble {
  readonly code: 'state-unwritable';
  readonly since: Date;
}

export interface StateDirectoryParts {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** Whether STATE_DIR takes what is written to it. */
export class StateDirectory {
  readonly #parts: StateDirectoryParts;
  #problem: StateProblem | undefined;
  /** Writes what could not be written: only with that is it over. */
  #again: () => Promise<void> = async () => {};
  /** Since the last look began. */
  #wasRefused = false;
  #looking: Promise<void> = Promise.resolve();
  #next: Timer | undefined;
  #stopped = false;

  constructor(parts: StateDirectoryParts) {
    this.#parts = parts;
  }

  /** Another object exactly when it is another problem. */
  get problem(): StateProblem | undefined {
    return this.#problem;
  }

  /** Makes it where it is not there; without one that can be written, or will be once its disk is, nothing is to begin. */
  async make(): Promise<void> {
    const { path } = this.#parts;
    try {
      await makeDirectory(path);
      await access(path, constants.W_OK);
    } catch (error) {
      if (await isReadOnly(path)) {
        this.failed(error);
        return;
      }
      const code = errorCode(error) ?? error;
      throw new OperatorError(
        `STATE_DIR: ${path} cannot be used (${code}): it must be a directory that can be written`,
      );
    }
  }

  start(): void {
    this.#looking = this.#look();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#next?.cancel();
    await this.#looking;
  }

  /** Something could not be kept; `again` tries it another time. */
  failed(error: unknown, again: () => Promise<void> = this.#again): void {
    this.#again = again;
    this.#wasRefused = true;
    // Whoever is refused meanwhile may know less of it: SQLite says EIO of a quota that is used up.
    if (this.#problem === undefined) this.#say(error);
  }

  #say(error: unknown): void {
    const reason = `STATE_DIR cannot be written (${errorCode(error) ?? 'unknown error'}): commands, and players who would become owners of a farmhand, are refused`;
    if (reason === this.#problem?.reason) return;
    const remedy = 'Free some space and let the service write to STATE_DIR; Steward recovers by itself';
    const since = this.#problem?.since ?? this.#parts.clock.date();
    this.#problem = { code: 'state-unwritable', reason, remedy, since };
    this.#parts.log.error({ err: error, path: this.#parts.path, remedy }, reason);
    this.#lookLater();
  }

  async #look(): Promise<void> {
    this.#wasRefused = false;
    try {
      await tryOut(join(this.#parts.path, trialName));
      await this.#again();
      // What failed meanwhile is not over for that.
      if (this.#problem !== undefined && !this.#wasRefused) {
        this.#problem = undefined;
        this.#parts.log.info({}, 'STATE_DIR can be written again');
      }
    } catch (error) {
      this.#say(error);
    }
    this.#lookLater();
  }

  #lookLater(): void {
    this.#next?.cancel();
    if (this.#stopped) return;
    this.#next = this.#parts.clock.after(this.#problem === undefined ? lookEveryMs : lookAgainMs, () => {
      this.#looking = this.#look();
    });
  }
}

/** A directory that is there, on a disk that takes nothing. */
export async function isReadOnly(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => false,
    (error) => errorCode(error) === 'EROFS',
  );
}

/** Some disks say only when they are asked to sync that there is no room. */
async function tryOut(path: string): Promise<void> {
  try {
    // What somebody has put there would be written into, where it is a link, or waited for, where it is a pipe.
    await rm(path, { force: true });
    const file = await open(path, 'wx');
    try {
      await file.writeFile(Buffer.alloc(trialBytes));
      await file.datasync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}
