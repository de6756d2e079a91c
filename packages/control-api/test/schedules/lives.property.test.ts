import { settledMs } from '@steward/service-kit/settled-time';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { owner } from '../../src/keys/caller.ts';
import { CronTimes } from '../../src/schedules/cron-times.ts';
import { scheduleTiming } from '../../src/schedules/due.ts';
import { type Claim, PlayedWorld, type Told } from './stage/played-world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const { lookMs, lateMs, wrongClockMs } = scheduleTiming;

const crons = ['* * * * *', '*/15 * * * *', '0 * * * *', '30 2 * * *', '0 5 * * 1', '15 1-3 29 3 *'];
const zones = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe'];

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create'),
      cron: fc.constantFrom(undefined, ...crons),
      zone: fc.constantFrom(...zones),
      /** What is done again where it was cut off, and what is not. */
      isRepeatable: fc.boolean(),
      missed: fc.constantFrom('skip', 'once'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), which: fc.nat(5) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pass'),
      ms: fc.constantFrom(1_000, 20_000, minuteMs, 7 * minuteMs, hourMs, 5 * hourMs),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('set clock'),
      // Forth also stands for a machine that slept.
      ms: fc.constantFrom(
        -500,
        -minuteMs,
        -hourMs,
        -26 * hourMs,
        2_000,
        10 * minuteMs,
        3 * hourMs,
        26 * hourMs,
        40 * 24 * hourMs,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('actions'),
      takesMs: fc.constantFrom(0, 0, 5_000, 3 * minuteMs, 2 * hourMs),
      fails: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('disk'),
      disk: fc.constantFrom('takes', 'takes', 'refuses', 'kills'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('kill'),
      isLateLost: fc.boolean(),
      awayMs: fc.constantFrom(0, 40_000, hourMs, 30 * hourMs),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('people'), isEmpty: fc.boolean() }) },
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** What is known of a schedule from outside: what it said that it did, and by which clock. */
interface Known {
  readonly id: string;
  readonly times: CronTimes | undefined;
  readonly missed: 'skip' | 'once';
  readonly createdAt: number;
  readonly isRepeatable: boolean;
  /** What is due later has to be done, or to be told. */
  doneTo: number;
  /** What is due earlier is not to be done: as `doneTo`, but for a clock that was set back from as early as it may count. */
  newsFrom: number;
  /** What was due from then on was passed over, and none of it done. */
  notDoneFrom: number | undefined;
  /** A run was refused by the disk since, which only this process knows. */
  wasRefused: boolean;
  /** Due times of runs that were cut off, or could not begin: they may come again. */
  readonly again: Set<number>;
}

const emptyMinutes = 30;

/** Holds what a world has said against what is to be. */
class Judge {
  readonly known = new Map<string, Known>();
  readonly #world: PlayedWorld;
  #judged = 0;
  /** Since when the wall clock goes on as it does, by itself, and from when on that was seen for sure. */
  #steady: { readonly from: number; readonly seen: number };
  #isNewsByIt = false;
  #isDoneByIt = false;

  constructor(world: PlayedWorld) {
    this.#world = world;
    this.#steady = { from: world.now, seen: world.now };
  }

  judge(): void {
    const { record, mostUnderWay, now } = this.#world;
    expect(mostUnderWay, 'two runs of one at once').toBeLessThanOrEqual(1);
    for (const said of record.slice(this.#judged)) {
      this.#believe('run' in said ? said.run.at : said.at);
      if ('run' in said) this.#claimed(said);
      else this.#told(said);
    }
    this.#judged = record.length;
    // Only who runs sees that a clock was wrong.
    if (!this.#world.isRunning) return;
    this.#believe(now);
    for (const known of this.known.values()) {
      const { doneTo, wasRefused, notDoneFrom } = known;
      if (!isFarBehind(doneTo, now))
        known.doneTo = doneByClock(doneTo, wasRefused ? undefined : notDoneFrom, now);
    }
  }

  /** What waits for an empty farm waits anew. */
  visited(): void {
    const { now } = this.#world;
    for (const known of this.known.values())
      if (known.times === undefined) known.doneTo = Math.min(known.doneTo, now);
  }

  /** What is done until somebody has looked at it may be news already. */
  clockIsSet(): void {
    const { now } = this.#world;
    for (const known of this.known.values())
      if (!isFarBehind(known.newsFrom, now))
        known.newsFrom = doneByClock(known.newsFrom, known.notDoneFrom, now);
  }

  /** From then on nobody has looked at the clock for longer than the moment that it takes, and it has to go on for a while. */
  startsAnew(from: number): void {
    this.#steady = { from, seen: this.#world.now };
    this.#isNewsByIt = false;
    this.#isDoneByIt = false;
  }

  /** What a clock said that was wrong counts no more, once the other has gone on for long enough to be the right one. */
  #believe(at: number): void {
    const { from, seen } = this.#steady;
    const earliest = from + settledMs - 10_000;
    const latest = from + settledMs + 2 * lookMs + 10_000;
    const known = [...this.known.values()];
    if (!this.#isNewsByIt && at >= earliest) {
      for (const each of known) if (isFarBehind(each.newsFrom, earliest)) each.newsFrom = from;
      this.#isNewsByIt = true;
    }
    if (this.#isDoneByIt || at < latest) return;
    for (const each of known) if (isFarBehind(each.doneTo, latest)) each.doneTo = seen;
    this.#isDoneByIt = true;
  }

  /** Nothing that was due lies about: where everything works each was done, or was said not to be. */
  nothingLeft(): void {
    const { now, emptySince } = this.#world;
    for (const { times, doneTo, createdAt, id } of this.known.values()) {
      const next = times?.nextAfter(doneTo);
      if (next !== undefined) expect(next, `${id} was due`).toBeGreaterThan(now - lookMs - 10_000);
      const since = emptySince?.getTime() ?? Number.POSITIVE_INFINITY;
      // That somebody came in between is lost with a process.
      if (times !== undefined || since <= doneTo || this.#world.hasLost) continue;
      const dueAt = (createdAt > now ? since : Math.max(since, createdAt)) + emptyMinutes * minuteMs;
      expect(dueAt, `${id} was due`).toBeGreaterThan(now - lookMs - 10_000);
    }
  }

  #claimed({ id, run: { dueAt, at }, emptySince }: Claim): void {
    const known = this.known.get(id);
    if (known === undefined || dueAt === undefined) return;
    // A run that was cut off may come a second time, and never a third; by which clock it was due is long past.
    const isAgain = known.again.delete(dueAt);
    if (known.times === undefined) {
      expect(emptySince, 'somebody is online').toBeDefined();
      if (!isAgain) expect(emptySince, 'it was done while nobody was online').toBeGreaterThan(known.doneTo);
      expect(at - dueAt).toBeGreaterThanOrEqual(0);
      known.doneTo = at;
    }
    if (isAgain || known.times === undefined) return;
    this.#isNews(known, dueAt);
    expect(dueAt).toBeLessThanOrEqual(at);
    if (known.missed === 'skip') expect(at - dueAt).toBeLessThanOrEqual(lateMs);
    const first = known.times.nextAfter(known.doneTo) ?? dueAt;
    // What a process knew of a clock that was set back is lost with it.
    if (known.missed === 'skip' && !this.#world.hasLost)
      expect(first, 'it was missed, and not told').toBeGreaterThanOrEqual(dueAt);
    known.doneTo = at;
    known.newsFrom = at;
    known.notDoneFrom = undefined;
    known.wasRefused = false;
  }

  #told({ event, at }: Told): void {
    if (event.type !== 'schedules.failed' && event.type !== 'schedules.skipped') return;
    const known = this.known.get(event.data.scheduleId);
    if (known === undefined) return;
    const dueAt = Date.parse(event.data.dueAt ?? '');
    if (event.type === 'schedules.failed') {
      if (event.data.reason.startsWith('its start could not be recorded')) known.wasRefused = true;
      else known.notDoneFrom = undefined;
      if (event.data.outcome === 'unknown' && known.isRepeatable) known.again.add(dueAt);
      return;
    }
    if (!this.#world.hasLost) this.#isNews(known, dueAt);
    const isMissed = event.data.reason.startsWith('it was missed');
    if (isMissed) expect(known.missed).toBe('skip');
    // What is still in time then is not missed.
    const inTime = isMissed ? known.times?.nextAfter(at - lateMs) : undefined;
    const to = inTime !== undefined && inTime <= at ? inTime - 1 : at;
    known.doneTo = to;
    known.newsFrom = to;
    known.notDoneFrom = isMissed ? dueAt : undefined;
    known.wasRefused = false;
  }

  #isNews(known: Known, dueAt: number): void {
    if (known.times !== undefined) expect(known.times.nextAfter(dueAt - 1), 'it was never due').toBe(dueAt);
    expect(dueAt, 'it was done before').toBeGreaterThan(known.newsFrom);
  }
}

function isFarBehind(doneTo: number, now: number): boolean {
  return doneTo - now > wrongClockMs;
}

/** Of what a clock said that is set back no more counts than what was done. */
function doneByClock(doneTo: number, notDoneFrom: number | undefined, now: number): number {
  return notDoneFrom === undefined ? doneTo : Math.min(doneTo, Math.max(now, notDoneFrom - 1));
}

async function take(world: PlayedWorld, judge: Judge, each: Step, number: number): Promise<void> {
  const { schedules } = world;
  switch (each.do) {
    case 'create': {
      const { cron, zone, missed } = each;
      const does = each.isRepeatable
        ? ({ action: 'rendering', fps: number } as const)
        : ({ action: 'announce', message: String(number) } as const);
      const action = { ...does, name: `s${number}` };
      const when = cron === undefined ? { emptyMinutes } : { cron, timeZone: zone, missed: missed as 'skip' };
      await schedules.create({ ...action, ...when }, owner, undefined);
      const { id = '' } = schedules.list().at(-1) ?? {};
      judge.known.set(id, {
        id,
        times: cron === undefined ? undefined : new CronTimes(cron, zone),
        missed: missed as 'skip',
        createdAt: world.now,
        doneTo: cron === undefined ? 0 : world.now,
        newsFrom: cron === undefined ? 0 : world.now,
        notDoneFrom: cron === undefined ? undefined : 0,
        wasRefused: false,
        again: new Set(),
        isRepeatable: each.isRepeatable,
      });
      return;
    }
    case 'delete': {
      const id = [...judge.known.keys()][each.which];
      if (id === undefined) return;
      await schedules.remove({ id }, owner, undefined);
      judge.known.delete(id);
      return;
    }
    case 'pass':
      return await world.pass(each.ms);
    case 'set clock': {
      world.clock.setWallClock(each.ms);
      const setAt = world.now;
      judge.clockIsSet();
      // As whoever tells since when does.
      if (world.emptySince !== undefined && world.emptySince > world.clock.date())
        world.emptySince = world.clock.date();
      // Until somebody has looked at it, nobody can tell what it was before.
      await world.pass(lookMs);
      if (Math.abs(each.ms) >= minuteMs) judge.startsAnew(setAt);
      return;
    }
    case 'actions':
      world.action = { takesMs: each.takesMs, fails: each.fails };
      return;
    case 'disk':
      world.disk = each.disk as 'takes';
      return;
    case 'people':
      world.emptySince = each.isEmpty ? (world.emptySince ?? world.clock.date()) : undefined;
      if (each.isEmpty || !world.isRunning) return;
      schedules.visited();
      judge.visited();
      return;
    case 'kill':
      await world.kill(each.isLateLost);
      world.clock.advance(each.awayMs);
      await startAgain(world, judge);
  }
}

async function startAgain(world: PlayedWorld, judge: Judge): Promise<void> {
  judge.startsAnew(world.now);
  await world.startAgain();
}

it('schedules do nothing twice and lose nothing, whatever clocks, disks, kills and slow actions do to them', {
  timeout: 3_600_000,
}, async () => {
  const asserted = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
    const world = new PlayedWorld();
    const judge = new Judge(world);
    for (const [number, each] of steps.entries()) {
      await take(world, judge, each, number + 1);
      judge.judge();
    }
    // In the end everything works again.
    world.disk = 'takes';
    await world.kill(false);
    await startAgain(world, judge);
    await world.pass(settledMs + 2 * minuteMs);
    judge.judge();
    judge.nothingLeft();
  });
  await fc.assert(asserted, { numRuns: count({ small: 30, long: 5_000 }) });
});
