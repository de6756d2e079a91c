import { type Newer, newerRemedy } from '@steward/service-kit/files/json-format';
import type { Log } from '@steward/service-kit/log/logger';
import type { UnreadFile } from '@steward/shared/api/answers/server';

/** What a newer version has left in STATE_DIR and this one goes without. Each is told once in the log, and in `/status` until a restart. */
export class NewerFiles {
  readonly #log: Pick<Log, 'error'>;
  #all: readonly UnreadFile[] = [];

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  met(path: string, { reason }: Newer): UnreadFile {
    const file = { path, reason: `${path} ${reason}. It is left unchanged`, remedy: newerRemedy };
    this.#all = [...this.#all, file];
    this.#log.error({ remedy: file.remedy }, file.reason);
    return file;
  }

  /** Another array exactly when there is something else in it. */
  get all(): readonly UnreadFile[] {
    return this.#all;
  }
}
