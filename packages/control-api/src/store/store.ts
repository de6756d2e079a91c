import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { AuditReader, keepInterrupted } from './audit.ts';
import { isDamage, openForReading, sqliteCode } from './database.ts';
import { type Begun, beginEvents, EventReader, lastOfEvents } from './events.ts';
import { factNames, factOf, keepFact } from './facts.ts';
import { givenOutName, isAnother, noteGivenOut } from './given-out.ts';
import { KeptAudit } from './kept-audit.ts';
import { KeptEventLog } from './kept-event-log.ts';
import { KeptKeys } from './kept-keys.ts';
import { KeptOperations } from './kept-operations.ts';
import { KeptSamples } from './kept-samples.ts';
import { keptKeys } from './keys.ts';
import type { NewerFiles } from './newer-files.ts';
import { keptOperations } from './operations.ts';
import { operationsFileName } from './operations-format.ts';
import type { EventKind } from './past-events.ts';
import { type PrepareParts, prepareDatabase, suspicionOf } from './prepare-database.ts';
import { type Keep, Retention } from './retention.ts';
import { SampleReader } from './samples.ts';
import { journalFor } from './shared-file-systems.ts';
import type { StateDirectory } from './state-directory.ts';
import { failureOf, StoreError, storeError } from './store-error.ts';
import { Writer } from './writer.ts';

export const databaseName = 'steward.db';

const notOpen = 'the database is not open';

/** Why nothing is kept until the next start, for the operator. */
export interface StoreProblem {
  readonly code: 'state-unreadable';
  readonly reason: string;
  readonly remedy: string;
  readonly since: Date;
}

export interface StoreParts {
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly newerFiles: NewerFiles;
  readonly disk: Pick<StateDirectory, 'failed'>;
  readonly newEpoch: () => string;
  readonly keep: Keep;
  readonly fileSystem?: (directory: string) => string | undefined;
  readonly migrations?: PrepareParts['migrations'];
  readonly writerEntry?: URL;
}

interface Opened {
  readonly reading: DatabaseSync;
  readonly events: EventReader;
  readonly samples: SampleReader;
  readonly audit: AuditReader;
  readonly writer: Writer;
  readonly retention: Retention;
  readonly begun: Begun;
}

/** The one database of a STATE_DIR. Who opens it holds the directory's lock; without it everything that needs nothing kept goes on. */
export class Store {
  readonly #parts: StoreParts;
  readonly #path: string;
  readonly #givenOut: string;
  #opened: Opened | undefined;
  #problem: StoreProblem | undefined;
  #log: Pick<KeptEventLog<object>, 'open' | 'close'> | undefined;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#path = join(parts.directory, databaseName);
    this.#givenOut = join(parts.directory, givenOutName);
  }

  /** Opens the database and sets numbers aside for what will happen; the thread that writes begins with `start`. */
  open(): void {
    try {
      this.#opened = this.#openWhole();
    } catch (error) {
      this.#lose(storeError(failureOf(error)), error);
    }
    if (this.#opened === undefined) return;
    const { writer, events: reader, begun } = this.#opened;
    this.#log?.open({ writer, reader, marks: (mark) => noteGivenOut(this.#givenOut, mark) }, begun);
  }

  /** Another object exactly when it is another problem. */
  get problem(): StoreProblem | undefined {
    return this.#problem;
  }

  /** What the database takes on the disk, with its journal. */
  get bytes(): number {
    return ['', '-wal', '-journal']
      .map((ending) => statSync(`${this.#path}${ending}`, { throwIfNoEntry: false })?.size ?? 0)
      .reduce((one, other) => one + other);
  }

  /** To be asked for once, and before the database is opened: what happens until then is in memory alone. */
  eventLog<Event extends object>(kind: EventKind<Event>): KeptEventLog<Event> {
    const { clock, newEpoch } = this.#parts;
    const log = new KeptEventLog({ kind, clock, newEpoch, failed: (error) => this.#failed(error) });
    this.#log = log;
    return log;
  }

  /** Where there is no database, operations are forgotten with the process, and say so. */
  operations(): KeptOperations {
    const { directory, clock, log, newerFiles, disk } = this.#parts;
    return new KeptOperations({
      writer: this.#keeping.writer,
      kept: () => (this.#opened === undefined ? [] : keptOperations(this.#opened.reading)),
      fact: (name) => (this.#opened === undefined ? undefined : factOf(this.#opened.reading, name)),
      noDatabase: () => this.#whyNot,
      oldFile: join(directory, operationsFileName),
      now: () => clock.date(),
      log,
      newerFiles,
      disk,
    });
  }

  /** Where there is no database nobody can tell whose a key is. */
  keys(): KeptKeys {
    return new KeptKeys({
      writer: this.#keeping.writer,
      kept: () => (this.#opened === undefined ? [] : keptKeys(this.#opened.reading)),
      noDatabase: () => this.#whyNot,
    });
  }

  /** Where there is no database, samples are forgotten at once, and whoever asks for some is told why. */
  samples(): KeptSamples {
    return new KeptSamples({ ...this.#keeping, reader: () => this.#usable.samples });
  }

  /** Where there is no database, whoever has something to keep in it is told why. */
  audit(): KeptAudit {
    return new KeptAudit({ ...this.#keeping, reader: () => this.#usable.audit });
  }

  start(): void {
    this.#opened?.writer.start();
    this.#opened?.retention.start();
  }

  /** Takes away what has been kept for long enough; it does so by itself now and then. */
  async forgetOld(): Promise<void> {
    await this.#opened?.retention.sweep();
  }

  /** Everything told, and everything asked for, is on the disk. */
  async close(): Promise<void> {
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

  /** Damage that shows only when it is used has the whole file looked through, so that a new one takes its place. */
  #openWhole(): Opened | undefined {
    try {
      return this.#open();
    } catch (error) {
      if (!isDamage(sqliteCode(error))) throw error;
      this.#suspect();
      return this.#open();
    }
  }

  #open(): Opened | undefined {
    const { directory, clock, log, newerFiles, fileSystem, migrations, writerEntry } = this.#parts;
    const path = this.#path;
    const found = prepareDatabase({
      path,
      journal: journalFor(directory, log, fileSystem),
      now: () => clock.date(),
      ...(migrations === undefined ? {} : { migrations }),
    });
    if (found.kind === 'newer') {
      const { reason, remedy } = newerFiles.met(path, found);
      this.#problem = { code: 'state-unreadable', reason, remedy, since: clock.date() };
      return undefined;
    }
    const { database, journal, aside } = found;
    if (aside !== undefined) {
      const remedy = 'Put a backup of it in its place, or go on with what is kept from now on';
      log.error({ path, aside, remedy }, `${path} was damaged and is kept as ${aside}: a new one was begun`);
    }
    let begun: Begun;
    let reading: DatabaseSync | undefined;
    let readers: Pick<Opened, 'events' | 'samples' | 'audit'>;
    try {
      begun = this.#begin(database, aside !== undefined);
      // Before the other closes: the last one to close takes the journal away.
      reading = openForReading(path);
      readers = {
        events: new EventReader(reading),
        samples: new SampleReader(reading),
        audit: new AuditReader(reading),
      };
    } catch (error) {
      reading?.close();
      throw error;
    } finally {
      database.close();
    }
    const failed = (error: StoreError) => this.#failed(error);
    const entry = writerEntry === undefined ? {} : { entry: writerEntry };
    const writer = new Writer({ path, journal, clock, log, failed, ...entry });
    const retention = new Retention(writer, clock, this.#parts.keep);
    return { ...readers, reading, writer, retention, begun };
  }

  /** Where nothing can be set aside, as on a full disk, numbers are given out under an epoch that nobody has seen. */
  #begin(database: DatabaseSync, wasDamaged: boolean): Begun {
    const { clock, newEpoch } = this.#parts;
    try {
      const isOther = isAnother(this.#givenOut, lastOfEvents(database));
      const value = clock.date().toISOString();
      if (isOther || wasDamaged) keepFact(database, { name: factNames.keysLost, value });
      if (isOther && !wasDamaged) this.#tellOther();
      const begun = beginEvents(database, newEpoch, isOther);
      noteGivenOut(this.#givenOut, begun);
      keepInterrupted(database);
      return begun;
    } catch (error) {
      const failure = storeError(failureOf(error));
      if (failure.failure !== 'unwritable') throw error;
      this.#failed(failure);
      const { reserved: last, keptTo } = lastOfEvents(database);
      return { epoch: newEpoch(), last, keptTo, reserved: Number.POSITIVE_INFINITY };
    }
  }

  get #whyNot(): string | undefined {
    return this.#problem && `${this.#problem.reason}. ${this.#problem.remedy}`;
  }

  #tellOther(): void {
    this.#parts.log.warn(
      { path: this.#path },
      `${this.#path} is not the one that was here last: what that one kept is not known any more, and the log of events begins a new stretch`,
    );
  }

  get #usable(): Opened {
    if (this.#opened === undefined) throw new StoreError('closed', this.#whyNot ?? notOpen);
    return this.#opened;
  }

  /** What whoever keeps something shares. */
  get #keeping() {
    return {
      writer: { write: (...asked: Parameters<Writer['write']>) => this.#write(...asked) },
      clock: this.#parts.clock,
      failed: (error: StoreError) => this.#failed(error),
    };
  }

  async #write(...asked: Parameters<Writer['write']>): Promise<number> {
    return await this.#usable.writer.write(...asked);
  }

  #failed(error: StoreError): void {
    if (error.failure === 'unwritable') this.#parts.disk.failed(error);
    else if (error.failure === 'unreadable') {
      this.#lose(error, error);
      // Nothing more is written to what is damaged.
      this.#opened?.writer.giveUp(error);
    }
  }

  #lose({ failure, message }: StoreError, cause: unknown): void {
    if (this.#problem !== undefined) return;
    const reason = `${this.#path} cannot be used (${message}): nothing is kept in it until the next start`;
    const remedy = 'Mend what the reason names and start the service again: it looks the file through then';
    this.#problem = { code: 'state-unreadable', reason, remedy, since: this.#parts.clock.date() };
    this.#parts.log.error({ err: cause, path: this.#path, remedy }, reason);
    if (failure === 'unreadable') this.#suspect();
  }

  #suspect(): void {
    try {
      writeFileSync(suspicionOf(this.#path), '');
    } catch {
      // The next start meets it again.
    }
  }
}
