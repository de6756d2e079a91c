import { join } from 'node:path';
import { collector } from '@steward/service-kit/process/collector';
import { ownMs } from '@steward/testing/loop-delay';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AuditPage, KeptAudit } from '../../src/store/kept/audit.ts';
import { prepareDatabase } from '../../src/store/prepare-database.ts';
import {
  AuditReader,
  type AuditRow,
  type AuditSort,
  auditSorts,
  auditWriter,
  keepInterrupted,
} from '../../src/store/tables/audit.ts';
import { inOneTransaction, openForReading } from '../../src/store/tables/database.ts';
import type { Write } from '../../src/store/writing/writer.ts';

/** Looked through in one go, however many lines there are. */
const mostNumbersAtOnce = 2_000;

const actors = ['owner', 'bot', 'Ann'] as const;
const actions = ['setTime', 'deleteFarmhand', 'sendChat'] as const;
const outcomes = ['applied', 'refused', 'unknown'] as const;

const line = fc.record({
  kind: fc.constant('line' as const),
  sort: fc.constantFrom(...auditSorts),
  actor: fc.constantFrom(...actors),
  action: fc.constantFrom(...actions),
  outcome: fc.constantFrom(...outcomes),
  /** Few, so that the same comes again, as a retry does. */
  operation: fc.option(fc.integer({ min: 1, max: 8 }).map(String)),
  /** `taken twice`: a thread that died may have written it. `interrupted`: the process ends before it is known how this ends. */
  how: fc.constantFrom('at once', 'begun', 'taken twice', 'interrupted'),
});
const step = fc.oneof(
  { weight: 12, arbitrary: line },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      byMs: fc.integer({ min: -2_000, max: 5_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('forget' as const),
      keep: fc.integer({ min: 0, max: 8 }),
      ms: fc.integer({ min: 0, max: 60_000 }),
    }),
  },
);
/** A line by its place in what was kept, or beside it; or the time of one, and a little beside that. */
const place = fc.option(
  fc.record({
    at: fc.integer({ min: -2, max: 60 }),
    kind: fc.constantFrom('number', 'time'),
    beside: fc.integer({ min: -1, max: 1 }),
  }),
  { nil: undefined },
);
const query = fc.record({
  after: place,
  before: place,
  limit: fc.integer({ min: 1, max: 12 }),
  actor: fc.option(fc.constantFrom(...actors), { nil: undefined }),
  action: fc.option(fc.constantFrom(...actions), { nil: undefined }),
  outcome: fc.option(fc.constantFrom(...outcomes), { nil: undefined }),
});

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type Query = typeof query extends fc.Arbitrary<infer One> ? One : never;

/** What was written, in its order, beside what the database says of it. */
class Story implements Disposable {
  readonly #directory = temporaryDirectory();
  readonly #clock = new ManualClock();
  #model: AuditRow[] = [];
  #told = new Set<string>();
  #opened = this.#open();

  [Symbol.dispose](): void {
    this.#close();
    this.#directory[Symbol.dispose]();
  }

  async take(next: Step): Promise<void> {
    if (next.kind === 'clock') this.#clock.setWallClock(next.byMs);
    else if (next.kind === 'restart') this.#restart();
    else if (next.kind === 'forget') this.#forget(next.keep, next.ms);
    else await this.#line(next);
  }

  async check({ after, before, limit, ...having }: Query): Promise<void> {
    const from = after === undefined ? 'newest' : 'oldest';
    const page = { after: this.#placeOf(after), before: this.#placeOf(before), limit, from, having } as const;
    expect(await this.#opened.kept.page(page)).toEqual(this.#pageOf(page));
  }

  #pageOf({ after, before, limit, from, having }: AuditPage): AuditRow[] {
    const byTime = this.#model.toSorted((one, other) => one.at - other.at || one.number - other.number);
    const numberOf = (where: number | Date) =>
      typeof where === 'number'
        ? where
        : (byTime.find(({ at }) => at >= where.getTime())?.number ?? Number.POSITIVE_INFINITY);
    const found = this.#model
      .filter(({ number }) => before === undefined || number < numberOf(before))
      .filter(
        ({ number }) =>
          after === undefined || (typeof after === 'number' ? number > after : number >= numberOf(after)),
      )
      .filter(({ actor }) => having.actor === undefined || actor === having.actor)
      .filter(({ action }) => having.action === undefined || action === having.action)
      .filter(({ outcome }) => having.outcome === undefined || outcome === having.outcome);
    return (from === 'oldest' ? found : found.toReversed()).slice(0, limit);
  }

  #placeOf(where: Query['after']): number | Date | undefined {
    if (where === undefined) return undefined;
    const row = this.#model.at(where.at % Math.max(1, this.#model.length));
    if (where.kind === 'number') return Math.max(0, (row?.number ?? 0) + where.beside);
    return new Date((row?.at ?? 0) + where.beside);
  }

  async #line({
    sort,
    actor,
    action,
    outcome,
    operation,
    how,
  }: Extract<Step, { kind: 'line' }>): Promise<void> {
    const { kept } = this.#opened;
    const at = this.#clock.date().getTime();
    const what = { at, sort, actor, action, body: '{}' };
    const begun = how === 'at once' ? null : kept.begin(what, 'late').number;
    if (how === 'interrupted') {
      this.#restart();
      const { number } = this.#last();
      this.#model.push({
        ...what,
        number,
        outcome: 'unknown',
        operation: null,
        body: '{"interrupted":true}',
      });
      return;
    }
    const row = { ...what, outcome, operation };
    await kept.keep(row, 'durable', begun);
    if (how === 'taken twice') this.#apply(this.#opened.last);
    const id = `${operation} ${outcome}`;
    if (operation !== null && this.#told.has(id)) return;
    this.#told.add(id);
    this.#model.push({ ...row, number: this.#last().number });
  }

  #last(): AuditRow {
    const page = { after: 0, before: Number.MAX_SAFE_INTEGER, limit: 1, from: 'newest', having: {} } as const;
    const [last] = this.#opened.reader.page(page);
    if (last === undefined) throw new Error('there is no line');
    const known = this.#model.at(-1)?.number ?? 0;
    expect(last.number).toBeGreaterThan(known);
    return last;
  }

  #forget(keep: number, ms: number): void {
    const before = this.#clock.date().getTime() - ms;
    const most = 3;
    const gone = (rows: readonly AuditRow[]) => {
      const numbers = new Set(rows.map(({ number }) => number));
      this.#model = this.#model.filter(({ number }) => !numbers.has(number));
      for (const { operation, outcome } of rows) this.#told.delete(`${operation} ${outcome}`);
      return rows.length;
    };
    const byTime = this.#model.toSorted((one, other) => one.at - other.at || one.number - other.number);
    const firstKept = byTime.find(({ at }) => at >= before)?.number ?? Number.POSITIVE_INFINITY;
    const old = byTime.filter(({ at, number }) => at < before && number < firstKept);
    let room = most - gone(old.slice(0, most));
    for (const sort of auditSorts) {
      const those = this.#model.filter((row) => row.sort === sort);
      room -= gone(those.slice(0, Math.min(room, Math.max(0, those.length - keep))));
    }
    const counts = Object.fromEntries(auditSorts.map((sort) => [sort, keep])) as Record<AuditSort, number>;
    expect(this.#apply({ kind: 'forget-audit', before, keep: counts, most })).toBe(most - room);
  }

  #apply(write: Write): number {
    const { connection, writer } = this.#opened;
    return inOneTransaction(connection, () => {
      if (write.kind === 'audit-begin') return writer.begin(write);
      if (write.kind === 'audit') return writer.keep(write);
      return write.kind === 'forget-audit' ? writer.forget(write) : 0;
    });
  }

  #restart(): void {
    this.#close();
    this.#opened = this.#open();
  }

  #close(): void {
    this.#opened.reading.close();
    this.#opened.connection.close();
  }

  #open() {
    const path = join(this.#directory.path, 'steward.db');
    const found = prepareDatabase({ path, journal: 'wal', now: () => this.#clock.date() });
    if (found.kind === 'newer') throw new Error(found.reason);
    const { database: connection } = found;
    // Nothing here is about a power cut.
    connection.exec('pragma synchronous=off');
    keepInterrupted(connection);
    const reading = openForReading(path);
    const reader = new AuditReader(reading);
    const opened = {
      connection,
      reading,
      reader,
      writer: auditWriter(connection),
      last: { kind: 'forget-audit', before: 0, keep: { done: 0, said: 0, refused: 0 }, most: 0 } as Write,
      kept: new KeptAudit({
        writer: {
          write: async (write: Write) => {
            opened.last = write;
            return this.#apply(write);
          },
        },
        reader: () => reader,
        clock: this.#clock,
        failed: () => {},
      }),
    };
    return opened;
  }
}

it('pages and filters as a list of the same lines would, over retries, kills, clocks that are set, and what is forgotten', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 60 }),
      fc.array(query, { minLength: 3, maxLength: 6 }),
      async (steps, queries) => {
        using story = new Story();
        for (const next of steps) await story.take(next);
        for (const asked of queries) await story.check(asked);
      },
    ),
    { numRuns: count({ small: 30, long: 3_000 }) },
  );
});

it('answers of half a million lines in pieces, and by an index where one thing is asked for', {
  timeout: 600_000,
}, async () => {
  using directory = temporaryDirectory();
  const lines = count({ small: 30_000, long: 500_000 });
  const path = join(directory.path, 'steward.db');
  const found = prepareDatabase({ path, journal: 'wal', now: () => new Date() });
  if (found.kind === 'newer') throw new Error(found.reason);
  using connection = found.database;
  connection.exec('pragma synchronous=off');
  const writer = auditWriter(connection);
  inOneTransaction(connection, () => {
    for (let number = 1; number <= lines; number += 1) {
      const isRare = number === 5;
      writer.keep({
        kind: 'audit',
        begun: null,
        number,
        at: number * 1_000,
        sort: 'done',
        actor: isRare ? 'Ann' : 'bot',
        action: isRare ? 'deleteFarmhand' : 'setTime',
        outcome: 'applied',
        operation: String(number),
        body: '{"says":"time of day set","door":"http","address":"192.0.2.7","parameters":{"value":1200}}',
      });
    }
  });
  using reading = openForReading(path);
  const reader = new AuditReader(reading);
  // What writing them has left, and other files of tests, is not to be cleared away while it is measured.
  collector()();
  let slowestMs = 0;
  let widest = 0;
  const kept = new KeptAudit({
    writer: { write: async () => 0 },
    reader: () =>
      Object.assign(Object.create(reader) as AuditReader, {
        page(...asked: Parameters<AuditReader['page']>) {
          const [{ after, before }] = asked;
          widest = Math.max(widest, before - after - 1);
          const start = ownMs();
          const page = reader.page(...asked);
          slowestMs = Math.max(slowestMs, ownMs() - start);
          return page;
        },
        first: () => reader.first(),
        from: (number: number) => reader.from(number),
        upTo: (number: number) => reader.upTo(number),
        since: (at: number) => reader.since(at),
      }),
    clock: new ManualClock(),
    failed: () => {},
  });
  for (const having of [
    { action: 'deleteFarmhand' },
    { actor: 'Ann', outcome: 'applied' },
    { outcome: 'void' },
    {},
  ]) {
    const page = await kept.page({ limit: 100, from: 'newest', having });
    expect(page.length).toBe(
      'outcome' in having && having.outcome === 'void'
        ? 0
        : 'action' in having || 'actor' in having
          ? 1
          : 100,
    );
  }
  expect(await kept.page({ before: new Date(6_000), limit: 1, from: 'newest', having: {} })).toMatchObject([
    { number: 5 },
  ]);
  expect(widest).toBeLessThanOrEqual(mostNumbersAtOnce);
  // A test shares the machine with others.
  expect(slowestMs).toBeLessThan(count({ small: 200, long: 40 }));
});
