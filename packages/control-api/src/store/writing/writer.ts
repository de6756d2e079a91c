import { Worker } from 'node:worker_threads';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { entryUrl } from '../../entries.ts';
import type { AuditBegin, AuditWrite, ForgetAudit } from '../tables/audit.ts';
import type { Journal } from '../tables/database.ts';
import type { EventsWrite, ForgetEvents } from '../tables/events.ts';
import type { FactWrite } from '../tables/facts.ts';
import type { KeysPassed, KeysUsed, KeysWrite } from '../tables/keys.ts';
import type { ForgetOperations, OperationWrite, TakeOverOperations } from '../tables/operations.ts';
import type { ForgetSamples, SampleWrite } from '../tables/samples.ts';
import type { SchedulesMoved, SchedulesWrite } from '../tables/schedules.ts';
import { type SqliteFailure, StoreError, storeError } from '../tables/store-error.ts';
import type { ForgetDeliveries, WebhooksMoved, WebhooksWrite } from '../tables/webhooks.ts';

/** What is written, as data: what it becomes in the database the writing thread knows. */
export type Write =
  | EventsWrite
  | ForgetEvents
  | OperationWrite
  | TakeOverOperations
  | ForgetOperations
  | SampleWrite
  | ForgetSamples
  | KeysWrite
  | KeysPassed
  | KeysUsed
  | AuditBegin
  | AuditWrite
  | ForgetAudit
  | WebhooksWrite
  | WebhooksMoved
  | ForgetDeliveries
  | SchedulesWrite
  | SchedulesMoved
  | FactWrite;

export interface WriteAsked {
  readonly id: number;
  readonly write: Write;
  readonly durable: boolean;
}

export type ToWriter = WriteAsked | 'close';

export type Answer =
  | { readonly id: number; readonly rows: number }
  | { readonly id: number; readonly failure: SqliteFailure };

export interface WriterData {
  readonly path: string;
  readonly journal: Journal;
}

export interface WriterLimits {
  /** How many writes wait at most for a disk that is slow. */
  readonly waiting: number;
  /** A thread that has died is started again, so many times within so long. */
  readonly restarts: number;
  readonly withinMs: number;
}

const writerLimits: WriterLimits = { waiting: 2_000, restarts: 3, withinMs: 60_000 };

/** It holds little more than what waits for the disk. */
const workerHeap = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 };

/** The thread that writes, as whoever asks it has it. */
export interface WritingThread extends Pick<Worker, 'ref' | 'unref'> {
  postMessage(message: ToWriter): void;
  on(event: 'message', listener: (answers: readonly Answer[]) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

export type StartThread = (data: WriterData) => WritingThread;

const startThread: StartThread = (workerData) =>
  new Worker(entryUrl('store-writer'), { workerData, resourceLimits: workerHeap });

export interface WriterParts extends WriterData {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Told of each write that the disk did not take, and when nothing is kept any more until the next start. */
  readonly failed: (error: StoreError) => void;
  readonly limits?: WriterLimits;
  readonly startThread?: StartThread;
}

interface Waiting extends WriteAsked {
  readonly done: (rows: number) => void;
  readonly failed: (error: StoreError) => void;
}

/** Whoever writes to the database: what comes together shares a transaction and its sync, and no caller's thread waits for it. */
export class Writer {
  readonly #parts: WriterParts;
  readonly #limits: WriterLimits;
  /** In the order in which they were asked for, which is that of the database. */
  readonly #waiting = new Map<number, Waiting>();
  #thread: WritingThread | undefined;
  #restarts: number[] = [];
  #asked = 0;
  #ended: StoreError | undefined;
  #idle = Promise.withResolvers<void>();

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? writerLimits;
  }

  /** How many writes wait for the disk. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** What is late waits until then: starting the thread is nothing that a service should begin with. */
  start(): void {
    if (this.#thread !== undefined || this.#ended !== undefined) return;
    const { path, journal } = this.#parts;
    const thread = (this.#parts.startThread ?? startThread)({ path, journal });
    this.#thread = thread;
    thread.on('message', (answers: readonly Answer[]) => {
      for (const answer of answers) this.#answered(answer);
    });
    let cause: unknown;
    thread.on('error', (error) => {
      cause = error;
    });
    thread.on('exit', (code) => this.#died(thread, cause ?? new Error(`exit code ${code}`)));
    // What the one before took with it may have been done, and can be done again.
    for (const { id, write, durable } of this.#waiting.values()) thread.postMessage({ id, write, durable });
    this.#hold();
  }

  /**
   * Resolves with how many rows it concerned: `durable` means that a power cut would not take it back, `late` that the end of this
   * process would not. Rejects with a StoreError; then it is not known to be kept.
   */
  write(write: Write, durability: 'durable' | 'late'): Promise<number> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#waiting.size >= this.#limits.waiting)
      return Promise.reject(new StoreError('busy', `${this.#waiting.size} writes wait for the disk`));
    this.#asked += 1;
    const asked: WriteAsked = { id: this.#asked, write, durable: durability === 'durable' };
    // Somebody waits for it.
    if (asked.durable) this.start();
    return new Promise((done, failed) => {
      this.#waiting.set(asked.id, { ...asked, done, failed });
      this.#thread?.postMessage(asked);
      this.#hold();
    });
  }

  /** From now on nothing is written; what waits is refused. */
  giveUp(error: StoreError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    for (const { failed } of this.#waiting.values()) failed(error);
    this.#waiting.clear();
    this.#parts.failed(error);
    this.#hold();
  }

  /** Everything that was asked for is written; nothing more is taken. */
  async close(): Promise<void> {
    while (this.#waiting.size > 0) {
      this.start();
      await this.#idle.promise;
    }
    this.#ended ??= new StoreError('closed', 'the service is stopping');
    const thread = this.#thread;
    if (thread === undefined) return;
    this.#thread = undefined;
    thread.ref();
    const exited = new Promise((exit) => thread.on('exit', exit));
    thread.postMessage('close' satisfies ToWriter);
    await exited;
  }

  #answered(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('rows' in answer) waiting?.done(answer.rows);
    else {
      const error = storeError(answer.failure);
      waiting?.failed(error);
      if (error.isLasting) this.giveUp(error);
      else this.#parts.failed(error);
    }
    this.#hold();
  }

  #died(thread: WritingThread, cause: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    const { clock, log } = this.#parts;
    const { restarts, withinMs } = this.#limits;
    this.#restarts = this.#restarts.filter((at) => at > clock.now() - withinMs);
    if (this.#restarts.length >= restarts) {
      log.error({ err: cause }, 'the thread that writes the database keeps dying');
      this.giveUp(
        new StoreError(
          'unreadable',
          `the thread that writes it died ${restarts + 1} times within a minute, the last time because of: ${cause instanceof Error ? cause.message : String(cause)}`,
        ),
      );
      return;
    }
    log.warn({ err: cause }, 'the thread that writes the database died and is started again');
    this.#restarts.push(clock.now());
    this.start();
  }

  /** It keeps the process alive as long as somebody waits for it. */
  #hold(): void {
    if (this.#waiting.size > 0) {
      this.#thread?.ref();
      return;
    }
    this.#thread?.unref();
    this.#idle.resolve();
    this.#idle = Promise.withResolvers();
  }
}
