import type { Clock } from '@steward/service-kit/clock';
import type { EventLogLimits } from '../../src/game/state/event-log.ts';
import { KeptEventLog } from '../../src/store/kept/event-log.ts';
import type { EventKind } from '../../src/store/kept/past-events.ts';
import { prepareDatabase } from '../../src/store/prepare-database.ts';
import { inOneTransaction, openForReading, openForWriting } from '../../src/store/tables/database.ts';
import { beginEvents, EventReader, eventWriter } from '../../src/store/tables/events.ts';
import { operationWriter } from '../../src/store/tables/operations.ts';
import { StoreError } from '../../src/store/tables/store-error.ts';
import { webhookWriter } from '../../src/store/tables/webhooks.ts';
import type { Write, Writer } from '../../src/store/writing/writer.ts';

export interface Told {
  readonly id: number;
  readonly topic: string;
}

export const kind: EventKind<Told> = {
  topicOf: ({ topic }) => topic,
  read: (body) => body as Told,
};

interface Asked {
  readonly write: Write;
  readonly done: (rows: number) => void;
  readonly failed: (error: StoreError) => void;
}

let epochs = 0;

/** A process's hold of a log: what it asks to be written happens when a test says so, in order, and a kill takes the rest with it. */
export class OpenedLog<Event extends object> implements Disposable {
  readonly log: KeptEventLog<Event>;
  /** For whoever else keeps something. */
  readonly writer: Pick<Writer, 'write'>;
  readonly reading: ReturnType<typeof openForReading>;
  readonly #writing: ReturnType<typeof openForWriting>;
  readonly #waiting: Asked[] = [];
  #isKilled = false;

  constructor(
    path: string,
    clock: Clock,
    limits: EventLogLimits,
    kind: EventKind<Event>,
    /** Whether the disk has a lower number when it is asked to keep one. */
    lowers = async () => true,
    /** Whether the database is not the one that was here last. */
    isAnother = false,
  ) {
    const found = prepareDatabase({ path, journal: 'wal', now: () => clock.date() });
    if (found.kind === 'newer') throw new Error(found.reason);
    const newEpoch = () => {
      epochs += 1;
      return `e${epochs}`;
    };
    const begun = beginEvents(found.database, newEpoch, { isAnother });
    found.database.close();
    this.#writing = openForWriting(path, 'wal');
    this.reading = openForReading(path);
    const reader = new EventReader(this.reading);
    this.writer = {
      write: (write: Write) =>
        new Promise<number>((done, failed) => {
          if (!this.#isKilled) this.#waiting.push({ write, done, failed });
        }),
    };
    const failed = () => {};
    this.log = new KeptEventLog({ kind, clock, newEpoch, limits, failed });
    this.log.open({ writer: this.writer, reader, marks: () => {}, lowers }, begun);
  }

  /** The disk takes the oldest of what waits for it, or refuses it. */
  async disk(how: 'takes' | 'refuses' | 'takes and does not say'): Promise<boolean> {
    await turn();
    const asked = this.#waiting.shift();
    if (asked === undefined) return false;
    if (how === 'refuses') asked.failed(new StoreError('unwritable', 'full'));
    else {
      const rows = this.#apply(asked.write);
      if (how === 'takes') asked.done(rows);
    }
    await turn();
    return true;
  }

  async stop(): Promise<void> {
    const closed = this.log.close();
    while (await this.disk('takes'));
    await closed;
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    if (this.#isKilled) return;
    this.#isKilled = true;
    this.reading.close();
    this.#writing.close();
  }

  /** Takes away all but the newest. */
  forget(keep: number): void {
    this.#apply({ kind: 'forget-events', before: 0, now: 0, keep, most: 3 });
  }

  #apply(write: Write): number {
    const writer = eventWriter(this.#writing);
    return inOneTransaction(this.#writing, () => {
      if (write.kind === 'events') return writer.keep(write);
      if (write.kind === 'forget-events') return writer.forget(write);
      const webhooks = webhookWriter(this.#writing, operationWriter(this.#writing));
      if (write.kind === 'webhooks') return webhooks.keep(write);
      return write.kind === 'webhooks-moved' ? webhooks.move(write) : 0;
    });
  }
}

/** Everything that is ready has happened by then. */
function turn(): Promise<void> {
  return new Promise((over) => setImmediate(over));
}
