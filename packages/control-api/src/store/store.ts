import { join } from 'node:path';
import type { Clock, Timer } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { SettledTime } from '@steward/service-kit/settled-time';
import type { NewerFiles } from './directory/newer-files.ts';
import { operationsFileName } from './directory/operations-format.ts';
import { journalFor } from './directory/shared-file-systems.ts';
import type { StateDirectory } from './directory/state-directory.ts';
import { KeptAudit } from './kept/audit.ts';
import { KeptEventLog } from './kept/event-log.ts';
import { KeptKeys } from './kept/keys.ts';
import { KeptOperations, noOperations } from './kept/operations.ts';
import type { EventKind } from './kept/past-events.ts';
import { KeptSamples } from './kept/samples.ts';
import { KeptSchedules } from './kept/schedules.ts';
import { KeptWebhooks } from './kept/webhooks.ts';
import { type Opened, type OpenParts, openDatabase, suspect } from './open-database.ts';
import { type Keep, Retention } from './retention.ts';
import { bytesOnDisk, type Journal } from './tables/database.ts';
import { failureOf, StoreError, type StoreProblem, storeError } from './tables/store-error.ts';
import type { StartThread, Writer } from './writing/writer.ts';

export const databaseName = 'steward.db';

const notOpen = 'the database is not open';

/** Before a database that could not be opened at the start is tried again. */
export const openAgainMs = 10_000;

const makeRoom =
  'Free some space, let the service write to STATE_DIR, or fix what the reason says; Steward then recovers by itself';

export interface StoreParts {
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly newerFiles: NewerFiles;
  readonly disk: Pick<StateDirectory, 'failed'>;
  readonly newEpoch: () => string;
  readonly keep: Keep;
  /** Asked before the database is tried again: the directory's lock may not have been to be had at the start either. */
  readonly mayOpen?: () => Promise<boolean>;
  readonly fileSystem?: (directory: string) => string | undefined;
  readonly migrations?: OpenParts['migrations'];
  readonly startWriter?: StartThread;
}

interface Open extends Opened {
  readonly retention: Retention;
}

/** The one database of a STATE_DIR. Who opens it holds the directory's lock; without it everything that needs nothing kept goes on. */
export class Store {
  readonly #parts: StoreParts;
  readonly #path: string;
  readonly #settled: SettledTime;
  #journal: Journal | undefined;
  #opened: Open | undefined;
  #problem: StoreProblem | undefined;
  #left = noOperations;
  #log: Pick<KeptEventLog<object>, 'open' | 'close' | 'told'> | undefined;
  #operations: KeptOperations | undefined;
  readonly #openedLate: (() => void)[] = [];
  /** It could not be opened, for a reason that may pass. */
  #isToBeTried = false;
  #again: Timer | undefined;
  #openingAgain: Promise<void> | undefined;
  #isClosing = false;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#path = join(parts.directory, databaseName);
    this.#settled = new SettledTime(parts.clock);
  }

  /** Opens the database and sets numbers aside for what will happen; the thread that writes begins with `start`. */
  open(): void {
    this.#open(undefined);
  }

  #open(waitMs: number | undefined): void {
    const { directory, clock, log, newEpoch, keep, newerFiles, fileSystem, migrations, startWriter } =
      this.#parts;
    const path = this.#path;
    this.#isToBeTried = false;
    this.#journal ??= journalFor(directory, log, fileSystem);
    try {
      const found = openDatabase({
        path,
        journal: this.#journal,
        clock,
        settled: this.#settled,
        log,
        newEpoch,
        told: this.#log?.told ?? 0,
        failed: (error) => this.#failed(error),
        waitMs,
        ...(migrations === undefined ? {} : { migrations }),
        ...(startWriter === undefined ? {} : { startWriter }),
      });
      if (found.kind === 'newer') {
        const { reason, remedy } = newerFiles.met(path, found);
        this.#problem = { code: 'state-unreadable', reason, remedy, since: clock.date() };
        return;
      }
      const retention = new Retention(found.writer, clock, this.#settled, keep);
      this.#opened = { ...found, retention };
      this.#left = found.left;
    } catch (error) {
      this.#cannotOpen(error);
      return;
    }
    const { writer, events: reader, begun, marks, lowers } = this.#opened;
    this.#log?.open({ writer, reader, marks, lowers }, begun);
  }

  /** Why nothing is kept until the next start. Another object exactly when it is another problem. */
  get problem(): StoreProblem | undefined {
    return this.#problem;
  }

  /** Why no key counts as new, for as long as that is so, though everything is kept. The same object each time. */
  get keysLost(): StoreProblem | undefined {
    return this.#opened?.lostKeys?.problem;
  }

  /** What the database takes on the disk, with its journal; undefined where nobody may look. */
  get bytes(): number | undefined {
    return bytesOnDisk(this.#path);
  }

  /** To be asked for once, and before the database is opened: what happens until then is in memory alone. */
  eventLog<Event extends object>(kind: EventKind<Event>): KeptEventLog<Event> {
    const { clock, newEpoch } = this.#parts;
    const log = new KeptEventLog({ kind, clock, newEpoch, failed: (error) => this.#failed(error) });
    this.#log = log;
    return log;
  }

  /** To be asked for once. Where there is no database, operations are forgotten with the process, and say so. */
  operations(): KeptOperations {
    const { directory, log, newerFiles, disk } = this.#parts;
    this.#operations = new KeptOperations({
      writer: this.#keeping.writer,
      left: () => {
        const left = this.#left;
        this.#left = noOperations;
        return left;
      },
      noDatabase: this.#keeping.noDatabase,
      keysLost: () => wordsOf(this.keysLost),
      oldFile: join(directory, operationsFileName),
      settled: this.#settled,
      log,
      newerFiles,
      disk,
    });
    return this.#operations;
  }

  /** Where there is no database nobody can tell whose a key is. */
  keys(): KeptKeys {
    return new KeptKeys({ ...this.#keeping, kept: () => this.#opened?.keys ?? [] });
  }

  /** Where there is no database, samples are forgotten at once, and whoever asks for some is told why. */
  samples(): KeptSamples {
    return new KeptSamples({ ...this.#keeping, reader: () => this.#usable.samples });
  }

  /** Where there is no database, whoever has something to keep in it is told why. */
  audit(): KeptAudit {
    return new KeptAudit({ ...this.#keeping, reader: () => this.#usable.audit });
  }

  /** Where there is no database nobody can tell what webhooks there are. */
  webhooks(): KeptWebhooks {
    const kept = () => this.#opened?.hooks ?? [];
    return new KeptWebhooks({ ...this.#keeping, reader: () => this.#usable.webhooks, kept });
  }

  /** As of webhooks. */
  schedules(): KeptSchedules {
    return new KeptSchedules({ ...this.#keeping, kept: () => this.#opened?.schedules ?? [] });
  }

  /** Calls back when what could not be opened at the start is: what was read of it then was nothing. */
  whenOpenedLate(read: () => void): void {
    this.#openedLate.push(read);
  }

  start(): void {
    this.#opened?.writer.start();
    this.#opened?.retention.start();
    if (this.#isToBeTried) this.#openLater();
  }

  /** Takes away what has been kept for long enough; it does so by itself now and then. */
  async forgetOld(): Promise<void> {
    await this.#opened?.retention.sweep();
  }

  /** Everything told, and everything asked for, is on the disk. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#again?.cancel();
    await this.#openingAgain;
    if (this.#opened === undefined) return;
    const { reading, writer, retention } = this.#opened;
    retention.stop();
    // Whoever stops before it has started has something to write down, too.
    writer.start();
    await this.#log?.close();
    // First: a reader cannot take the journal into the file, as the last one to close does.
    reading.close();
    await writer.close();
    this.#opened = undefined;
  }

  #openLater(): void {
    this.#again = this.#parts.clock.after(openAgainMs, () => {
      this.#openingAgain = this.#openAgain();
    });
  }

  /** What happened until then was never kept: its events are a gap, and its operations are kept from now on. */
  async #openAgain(): Promise<void> {
    try {
      const { mayOpen = async () => true } = this.#parts;
      if (!(await mayOpen()) || this.#isClosing) return;
      // Nobody who is served by now waits for another program.
      this.#open(0);
      if (this.#opened === undefined) return;
      this.#problem = undefined;
      const path = this.#path;
      this.#parts.log.info({ path }, `${path} can be used again: events are stored from now on`);
      // Reads before the other thread writes: what it locks, nobody can read.
      this.#operations?.opened();
      for (const read of this.#openedLate) read();
    } catch (error) {
      this.#cannotOpen(error);
    } finally {
      if (!this.#isClosing) this.start();
    }
  }

  get #usable(): Opened {
    if (this.#opened === undefined) throw new StoreError('closed', wordsOf(this.#problem) ?? notOpen);
    return this.#opened;
  }

  /** What whoever keeps something shares. */
  get #keeping() {
    return {
      writer: {
        write: async (...asked: Parameters<Writer['write']>) => await this.#usable.writer.write(...asked),
      },
      clock: this.#parts.clock,
      failed: (error: StoreError) => this.#failed(error),
      noDatabase: () => wordsOf(this.#problem),
    };
  }

  #failed(error: StoreError): void {
    if (error.failure === 'unwritable') this.#parts.disk.failed(error);
    else if (error.failure === 'unreadable') {
      this.#lose(error);
      // Nothing more is written to what is damaged.
      this.#opened?.writer.giveUp(error);
    }
  }

  #cannotOpen(error: unknown): void {
    this.#isToBeTried = true;
    const { failure, message } = storeError(failureOf(error));
    const reason = `${this.#path} cannot be used (${message}): nothing is stored in it until it can`;
    if (reason !== this.#problem?.reason) this.#say(error, reason, makeRoom);
    if (failure === 'unreadable') suspect(this.#path);
  }

  #lose(error: StoreError): void {
    if (this.#problem !== undefined) return;
    const reason = `${this.#path} cannot be used (${error.message}): nothing is stored in it until the next start`;
    this.#say(error, reason, 'Fix what the reason says and restart the service: it then checks the file');
    suspect(this.#path);
  }

  #say(err: unknown, reason: string, remedy: string): void {
    const since = this.#problem?.since ?? this.#parts.clock.date();
    this.#problem = { code: 'state-unreadable', reason, remedy, since };
    this.#parts.log.error({ err, path: this.#path, remedy }, reason);
  }
}

function wordsOf(problem: StoreProblem | undefined): string | undefined {
  return problem && `${problem.reason}. ${problem.remedy}`;
}
