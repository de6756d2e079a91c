import { join } from 'node:path';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cursor, parseCursor } from '../../src/game/state/event-log.ts';
import { reservedAtOnce } from '../../src/store/tables/events.ts';
import { kind, OpenedLog, type Told } from './opened-log.ts';

const retryMs = 1_000;
/** Of a page. */
const limit = 3;

function cursorOf(text: string): Cursor {
  const parsed = parseCursor(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const readings = ['read 0', 'read 1', 'follow by pages', 'look back'] as const;

const steps = [
  ...(['append', 'append', 'append', 'disk takes', 'disk takes'] as const),
  ...readings,
  ...(['disk refuses', 'later', 'stop', 'kill', 'kill after a commit', 'forget'] as const),
] as const;

type Step = (typeof steps)[number];

/** What is true of every log, whatever befell it: each event that was ever told, in order, by its cursor. */
class Story implements Disposable {
  readonly #directory = temporaryDirectory();
  readonly #clock = new ManualClock();
  readonly #limits: { readonly events: number; readonly bytes: number };
  readonly #told: string[] = [];
  #steps = 0;
  /** After which step something was forgotten, or lost by a kill: who has read since then misses nothing. */
  #trouble = 0;
  #process: OpenedLog<Told>;
  readonly #readers: { cursor: string; seen: number; step: number }[];
  /** Who goes on from page to page, and up to what it has heard. */
  readonly #follower: { cursor: string; seen: number };

  constructor(eventsInMemory: number) {
    this.#limits = { events: eventsInMemory, bytes: 1_000_000 };
    this.#process = this.#open();
    this.#readers = [0, 1].map(() => ({ cursor: this.#process.log.head, seen: 0, step: 0 }));
    this.#follower = { cursor: this.#process.log.head, seen: 0 };
  }

  [Symbol.dispose](): void {
    this.#process[Symbol.dispose]();
    this.#directory[Symbol.dispose]();
  }

  async take(step: Step): Promise<void> {
    this.#steps += 1;
    switch (step) {
      case 'append':
        return this.#append();
      case 'read 0':
      case 'read 1':
        return this.#read(step === 'read 0' ? 0 : 1);
      case 'follow by pages':
        return this.#followByPages();
      case 'look back':
        return this.#lookBack();
      case 'disk takes':
      case 'disk refuses':
        await this.#process.disk(step === 'disk takes' ? 'takes' : 'refuses');
        return;
      case 'later':
        return this.#clock.advance(retryMs);
      case 'forget':
        this.#process.forget(2);
        this.#trouble = this.#steps;
        return;
      case 'stop':
        await this.#process.stop();
        this.#process = this.#open();
        return;
      case 'kill':
      case 'kill after a commit':
        if (step !== 'kill') await this.#process.disk('takes and does not say');
        this.#process[Symbol.dispose]();
        this.#trouble = this.#steps;
        this.#process = this.#open();
    }
  }

  #open(): OpenedLog<Told> {
    return new OpenedLog(join(this.#directory.path, 'steward.db'), this.#clock, this.#limits, kind);
  }

  #append(): void {
    const { cursor } = this.#process.log.append({ id: this.#told.length, topic: 'chat' });
    expect(this.#told).not.toContain(cursor);
    this.#told.push(cursor);
  }

  async #read(number: 0 | 1): Promise<void> {
    const reader = this.#readers[number];
    if (reader === undefined) return;
    const { events, gap } = await this.#process.log.after(cursorOf(reader.cursor));
    const ids = events.map(({ event }) => event.id);
    const missed = this.#toldSince(reader.seen);
    // In order, once each, nothing that was heard before, each by the cursor that it was told with.
    expect(missed.filter((id) => ids.includes(id))).toEqual(ids);
    expect(events.map(({ cursor }) => cursor)).toEqual(ids.map((id) => this.#told[id]));
    if (!gap) expect(ids).toEqual(missed);
    if (reader.step >= this.#trouble && this.#limits.events > this.#told.length) expect(gap).toBe(false);
    reader.cursor = this.#process.log.head;
    reader.seen = this.#told.length;
    reader.step = this.#steps;
  }

  /** Each page goes on where the one before ended; the last is not full. */
  async #followByPages(): Promise<void> {
    const { log } = this.#process;
    const heard: number[] = [];
    let isWhole = true;
    for (let isFull = true; isFull; ) {
      const { events, gap, cursor } = await log.page({ after: cursorOf(this.#follower.cursor), limit });
      heard.push(...events.map(({ event }) => event.id));
      if (gap) isWhole = false;
      isFull = events.length === limit;
      this.#follower.cursor = cursor;
    }
    const missed = this.#toldSince(this.#follower.seen);
    expect(missed.filter((id) => heard.includes(id))).toEqual(heard);
    if (isWhole) expect(heard).toEqual(missed);
    expect(this.#follower.cursor).toBe(log.head);
    this.#follower.seen = this.#told.length;
  }

  /** Page by page from the end, as far as there is anything. */
  async #lookBack(): Promise<void> {
    const found: number[] = [];
    let before: Cursor | undefined;
    let isWhole = true;
    for (let isFull = true; isFull; ) {
      const { events, gap } = await this.#process.log.page({ before, limit });
      found.unshift(...events.map(({ event }) => event.id));
      if (gap) isWhole = false;
      isFull = events.length === limit;
      before = isFull ? cursorOf(events[0]?.cursor ?? '') : undefined;
    }
    const all = this.#toldSince(0);
    expect(all.filter((id) => found.includes(id))).toEqual(found);
    if (isWhole) expect(found).toEqual(all);
  }

  #toldSince(seen: number): number[] {
    return this.#told.slice(seen).map((_, index) => seen + index);
  }
}

const runs = { numRuns: count({ small: 20, long: 3_000 }) };

it.each([10_000, 4])(
  'gives no cursor to two events and says what it has lost, however it is stopped and killed, with %i events in memory',
  { timeout: 3_600_000 },
  async (eventsInMemory) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 60 }), async (script) => {
        using story = new Story(eventsInMemory);
        for (const step of script) await story.take(step);
        for (const last of [...readings, 'stop', ...readings] as const) await story.take(last);
      }),
      runs,
    );
  },
);

describe('a log with room for ten events in memory', () => {
  const open = (directory: string) =>
    new OpenedLog(join(directory, 'steward.db'), new ManualClock(), { events: 10, bytes: 1_000_000 }, kind);

  function tell({ log }: OpenedLog<Told>, count: number): string[] {
    return Array.from({ length: count }, (_, id) => log.append({ id, topic: 'chat' }).cursor);
  }

  it('what it cannot hold until a disk that hangs takes it becomes a gap, for those who come after a restart, too', async () => {
    using directory = temporaryDirectory();
    let heads: string[];
    {
      using first = open(directory.path);
      tell(first, 1);
      await first.disk('takes');
      const { head } = first.log;
      tell(first, 50);
      expect(await first.log.after(cursorOf(head))).toMatchObject({ gap: true });
      expect(await first.log.page({ after: cursorOf(head), limit })).toMatchObject({ gap: true });
      while (await first.disk('takes'));
      expect(first.log.counts.lost).toBe(40);
      heads = [head, first.log.head];
      await first.stop();
    }
    using second = open(directory.path);
    const readings = await Promise.all(heads.map((head) => second.log.after(cursorOf(head))));
    expect(readings.map(({ events, gap }) => [events.length, gap])).toEqual([
      [10, true],
      [0, false],
    ]);
  });

  it('of what is too much to read back at once there is the newest, behind a gap', async () => {
    using directory = temporaryDirectory();
    let told: string[] = [];
    {
      using first = open(directory.path);
      for (const _part of ['one', 'other']) {
        told = told.concat(tell(first, 8));
        await first.disk('takes');
      }
      await first.stop();
    }
    using second = open(directory.path);
    const readings = await Promise.all(
      [0, 5, 14].map((place) => second.log.after(cursorOf(told[place] ?? ''))),
    );
    expect(readings.map(({ events, gap }) => [events.length, gap])).toEqual([
      [10, true],
      [10, false],
      [1, false],
    ]);
  });

  it('reads back in pieces what takes longer than a turn', async () => {
    using directory = temporaryDirectory();
    const limits = { events: 2_000, bytes: 1_000_000 };
    const openLarge = () =>
      new OpenedLog(join(directory.path, 'steward.db'), new ManualClock(), limits, kind);
    let told: string[];
    {
      using first = openLarge();
      told = tell(first, 1_500);
      await first.stop();
    }
    using second = openLarge();
    told = told.concat(tell(second, 10));
    const { events, gap } = await second.log.after(cursorOf(told[0] ?? ''));
    expect(events.map(({ cursor }) => cursor)).toEqual(told.slice(1));
    expect(gap).toBe(false);
  });

  it.each([
    [true, 2],
    [false, reservedAtOnce + 1],
  ])(
    'goes on with the next number only where the disk has it that no more are given out: %s',
    async (isThere, next) => {
      using directory = temporaryDirectory();
      const limits = { events: 10, bytes: 1_000 };
      const opened = () =>
        new OpenedLog(
          join(directory.path, 'steward.db'),
          new ManualClock(),
          limits,
          kind,
          async () => isThere,
        );
      {
        using first = opened();
        tell(first, 1);
        await first.stop();
      }
      using second = opened();
      expect(tell(second, 1).map(cursorOf)).toMatchObject([{ number: next }]);
    },
  );

  it('no number is given out that is not set aside while the disk hangs: the log goes on under another epoch, which the disk comes to know', async () => {
    using directory = temporaryDirectory();
    let told: string[] = [];
    {
      using first = open(directory.path);
      const { head } = first.log;
      told = told.concat(tell(first, 2 * reservedAtOnce));
      expect(cursorOf(head).epoch).not.toBe(first.log.epoch);
    }
    {
      using second = open(directory.path);
      told = told.concat(tell(second, reservedAtOnce + 1));
      // Of the new epoch the disk takes the first mark, and does not come to say so.
      await second.disk('takes and does not say');
      told = told.concat(tell(second, 2 * reservedAtOnce));
    }
    let head: string;
    {
      using third = open(directory.path);
      told = told.concat(tell(third, reservedAtOnce + 1));
      while (await third.disk('takes'));
      head = third.log.head;
      told = told.concat(tell(third, 1));
      while (await third.disk('takes'));
    }
    using fourth = open(directory.path);
    expect(await fourth.log.after(cursorOf(head))).toMatchObject({ events: [{ cursor: told.at(-1) }] });
    told = told.concat(tell(fourth, 2 * reservedAtOnce));
    expect(new Set(told).size).toBe(told.length);
  });
});
