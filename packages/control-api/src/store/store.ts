import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { isDamage, openForReading, sqliteCode } from './database.ts';
import { type Begun, beginEvents, EventReader, lastOfEvents } from './events.ts';
import { factNames, keepFact } from './facts.ts';
import { givenOutName, isAnother, noteGivenOut } from './given-out.ts';
import { KeptEventLog } from './kept-event-log.ts';
import {
  KeptOperations,
  type LostKeys,
  leftOperations,
  noOperations,
  type StoreProblem,
} from './kept-operations.ts';
import { KeptSamples } from './kept-samples.ts';
import type { NewerFiles } from './newer-files.ts';
import { operationsFileName } from './operations-format.ts';
import type { EventKind } from './past-events.ts';
import { type PrepareParts, prepareDatabase, suspicionOf } from './prepare-database.ts';
import { type Keep, Retention } from './retention.ts';
import { SampleReader } from './samples.ts';
import { sharedFileSystem } from './shared-file-systems.ts';
import type { StateDirectory } from './state-directory.ts';
import { failureOf, StoreError, storeError } from './store-error.ts';
import { Writer } from './writer.ts';

export const databaseName = 'steward.db';

const notOpen = 'the database is not open';

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
  readonly writer: Writer;
  readonly retention: Retention;
  readonly begun: Begun;
  readonly lostKeys: LostKeys | undefined;
}

/** The one database of a STATE_DIR. Who opens it holds the directory's lock; without it everything that needs nothing kept goes on. */
export class Store {
  readonly #parts: StoreParts;
  readonly #path: string;
  readonly #givenOut: string;
  #opened: Opened | undefined;
  #problem: StoreProblem | undefined;
  #left = noOperations;
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

  /** Why nothing is kept until the next start. Another object exactly when it is another problem. */
  get problem(): StoreProblem | undefined {
    return this.#problem;
  }

  /** Why no key counts as new, for as long as that is so, though everything is kept. The same object each time. */
  get keysLost(): StoreProblem | undefined {
    const lostKeys = this.#opened?.lostKeys;
    return lostKeys?.matter(this.#parts.clock.date()) ? lostKeys.problem : undefined;
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
      writer: { write: (...asked) => this.#write(...asked) },
      left: () => {
        const left = this.#left;
        this.#left = noOperations;
        return left;
      },
      noDatabase: () => wordsOf(this.#problem),
      keysLost: () => wordsOf(this.keysLost),
      oldFile: join(directory, operationsFileName),
      now: () => clock.date(),
      log,
      newerFiles,
      disk,
    });
  }

  /** Where there is no database, samples are forgotten at once, and whoever asks for some is told why. */
  samples(): KeptSamples {
    return new KeptSamples({
      writer: { write: (...asked) => this.#write(...asked) },
      reader: () => {
        if (this.#opened === undefined) throw new StoreError('closed', wordsOf(this.#problem) ?? notOpen);
        return this.#opened.samples;
      },
      clock: this.#parts.clock,
      failed: (error) => this.#failed(error),
    });
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
    const { directory, clock, log, newerFiles, migrations, writerEntry } = this.#parts;
    const path = this.#path;
    const found = prepareDatabase({
      path,
      journal: this.#journalFor(directory),
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
    let events: EventReader;
    let samples: SampleReader;
    try {
      begun = this.#begin(database, aside !== undefined);
      // Before the other closes: the last one to close takes the journal away.
      reading = openForReading(path);
      events = new EventReader(reading);
      samples = new SampleReader(reading);
      // Here, where damage that shows has another begun.
      this.#left = leftOperations(reading);
    } catch (error) {
      reading?.close();
      throw error;
    } finally {
      database.close();
    }
    const failed = (error: StoreError) => this.#failed(error);
    const entry = writerEntry === undefined ? {} : { entry: writerEntry };
    const writer = new Writer({ path, journal, clock, log, failed, ...entry });
    const { lostKeys } = this.#left;
    const retention = new Retention(writer, clock, this.#parts.keep);
    return { reading, events, samples, writer, retention, begun, lostKeys };
  }

  #journalFor(directory: string): 'wal' | 'rollback' {
    const { log, fileSystem = sharedFileSystem } = this.#parts;
    const shared = fileSystem(directory);
    if (shared === undefined) return 'wal';
    log.warn(
      { directory, remedy: 'Put STATE_DIR on a disk of this machine, such as a volume of its own' },
      `STATE_DIR is on ${shared}, where the database works more slowly and is less safe from a power cut`,
    );
    return 'rollback';
  }

  /** Where nothing can be set aside, as on a full disk, numbers are given out under an epoch that nobody has seen. */
  #begin(database: DatabaseSync, wasDamaged: boolean): Begun {
    const { newEpoch } = this.#parts;
    try {
      const isOther = isAnother(this.#givenOut, lastOfEvents(database));
      if (isOther || wasDamaged) this.#keysAreLost(database);
      if (isOther && !wasDamaged) this.#tellOther();
      const begun = beginEvents(database, newEpoch, isOther);
      noteGivenOut(this.#givenOut, begun);
      return begun;
    } catch (error) {
      const failure = storeError(failureOf(error));
      if (failure.failure !== 'unwritable') throw error;
      this.#failed(failure);
      const { reserved: last, keptTo } = lastOfEvents(database);
      return { epoch: newEpoch(), last, keptTo, reserved: Number.POSITIVE_INFINITY };
    }
  }

  #tellOther(): void {
    this.#parts.log.warn(
      { path: this.#path },
      `${this.#path} is not the one that was here last: what that one kept is not known any more, and the log of events begins a new stretch`,
    );
  }

  #keysAreLost(database: DatabaseSync): void {
    keepFact(database, { name: factNames.keysLost, value: this.#parts.clock.date().toISOString() });
  }

  #write(...asked: Parameters<Writer['write']>): Promise<number> {
    if (this.#opened !== undefined) return this.#opened.writer.write(...asked);
    return Promise.reject(new StoreError('closed', notOpen));
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

function wordsOf(problem: StoreProblem | undefined): string | undefined {
  return problem && `${problem.reason}. ${problem.remedy}`;
}
