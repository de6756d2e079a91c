import { SettledTime, settledMs } from '@steward/service-kit/settled-time';
import { timestampOf } from '@steward/shared/wire-values';
import { ManualClock } from '@steward/testing/manual-clock';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type KeepRule,
  keepRule,
  surplus as surplusBy,
  type Thinned,
  textOfRule,
  wayBackMs,
} from '../../src/backups/retention.ts';

/** By a clock that is settled. */
function surplus<Backup extends Thinned>(all: readonly Backup[], units: KeepRule, at: Date) {
  return surplusBy(all, units, at, at.getTime());
}

const hourMs = 3_600_000;
const now = new Date('2026-11-22T19:00:00Z');

const madeAt = fc
  .oneof(
    fc.integer({ min: -30, max: 24 * 400 }).map((hours) => hours * hourMs),
    fc.integer({ min: -hourMs, max: 40 * 24 * hourMs }),
  )
  .map((ago) => timestampOf(now.getTime() - ago));

const backup: fc.Arbitrary<Omit<Thinned, 'id'>> = fc.record({
  madeAt,
  why: fc.constantFrom('asked', 'asked', 'schedule', 'before-restore', 'imported'),
  keep: fc.constantFrom(false, false, false, true),
});
const backups = fc
  .array(backup, { maxLength: 80 })
  .map((all) => all.map((each, index) => ({ ...each, id: String(index).padStart(3, '0') })));
const count = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });
const rule = fc
  .record({ h: count, d: count, w: count, m: count, y: count })
  .map((units) => Object.fromEntries(Object.entries(units).filter(([, each]) => each !== undefined)))
  .filter((units) => Object.keys(units).length > 0) as fc.Arbitrary<NonNullable<KeepRule>>;

/** In the calendar's own words, by which the rule is read. */
const periods = {
  h: (at: string) => at.slice(0, 13),
  d: (at: string) => at.slice(0, 10),
  w: (at: string) => {
    const day = new Date(`${at.slice(0, 10)}T00:00:00Z`);
    while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
    return timestampOf(day);
  },
  m: (at: string) => at.slice(0, 7),
  y: (at: string) => at.slice(0, 4),
};

it('leaves the newest of each period that the rule names, and of the others nothing that it need not', () => {
  fc.assert(
    fc.property(backups, rule, (all, units) => {
      const gone = new Set(surplus(all, units, now));
      const past = all.filter(({ madeAt: at }) => new Date(at) <= now);
      const newestFirst = past.toSorted((one, other) =>
        `${one.madeAt} ${one.id}` < `${other.madeAt} ${other.id}` ? 1 : -1,
      );
      const counted = newestFirst.filter(({ why }) => why !== 'before-restore');
      const needed = new Set<Thinned>(newestFirst.slice(0, 1));
      for (const [unit, most = 0] of Object.entries(units)) {
        const periodOf = periods[unit as keyof typeof periods];
        const named = [...new Set(counted.map(({ madeAt: at }) => periodOf(at)))].slice(0, most);
        for (const period of named) {
          const newest = counted.find(({ madeAt: at }) => periodOf(at) === period);
          if (newest !== undefined) needed.add(newest);
        }
      }
      for (const each of all) {
        const isYoung = now.getTime() - new Date(each.madeAt).getTime() < wayBackMs;
        const stays = each.keep || !past.includes(each) || (each.why === 'before-restore' && isYoung);
        expect(gone.has(each)).toBe(!(stays || needed.has(each)));
      }
      // Doing it again takes nothing more, and in which order they lie there means nothing.
      const left = all.filter((each) => !gone.has(each));
      expect(surplus(left, units, now)).toEqual([]);
      expect(new Set(surplus(all.toReversed(), units, now))).toEqual(gone);
    }),
  );
});

it('thinned out after each, a year of backups every hour has all of its days, weeks and months, and no more', () => {
  const units = { d: 7, w: 4, m: 6 };
  let lying: Thinned[] = [];
  for (let hour = 0; hour < 365 * 24; hour += 1) {
    const at = new Date(Date.UTC(2026, 0, 1) + hour * hourMs);
    lying.push({ id: String(hour), madeAt: timestampOf(at), why: 'schedule', keep: false });
    const gone = new Set(surplus(lying, units, at));
    lying = lying.filter((each) => !gone.has(each));
    expect(lying.length).toBeLessThanOrEqual(7 + 4 + 6);
  }
  const days = lying.map(({ madeAt: at }) => at.slice(0, 10));
  expect(days.toReversed()).toEqual([
    ...['2026-12-31', '2026-12-30', '2026-12-29', '2026-12-28', '2026-12-27', '2026-12-26', '2026-12-25'],
    ...['2026-12-20', '2026-12-13', '2026-11-30', '2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31'],
  ]);
});

it.each(['before-restore', 'before-delete', 'before-update'] as const)('keeps one %s for a week', (why) => {
  const at = (day: number, id: string) => ({ id, madeAt: `2026-11-${day}T12:00:00.000Z`, keep: false });
  const wayBack = { ...at(16, '1'), why };
  const later = { ...at(16, '2'), why: 'asked' as const };
  const all = [wayBack, later, { ...at(22, '3'), why: 'schedule' as const }];
  expect(surplus(all, { d: 7 }, now)).toEqual([]);
  expect(surplus(all, { d: 7 }, new Date('2026-11-23T12:00:00Z'))).toEqual([wayBack]);
});

it('lets no way back go by a clock that may be ahead', () => {
  const clock = new ManualClock(now);
  const time = new SettledTime(clock);
  const wayBack = { id: '1', madeAt: timestampOf(now), why: 'before-restore' as const, keep: false };
  const later = { id: '2', madeAt: timestampOf(now.getTime() + hourMs), why: 'asked' as const, keep: false };
  const gone = () => surplusBy([wayBack, later], { d: 7 }, clock.date(), time.now());
  clock.setWallClock(8 * 24 * hourMs);
  expect(gone()).toEqual([]);
  clock.advance(settledMs);
  expect(gone()).toEqual([wayBack]);
});

it('takes nothing away without a rule, and prints each rule as it is read', () => {
  const all = [{ id: '1', madeAt: '2020-01-01T00:00:00.000Z', why: 'asked', keep: false }] as const;
  expect(surplus(all, undefined, now)).toEqual([]);
  expect(textOfRule(undefined)).toBe('');
  fc.assert(
    fc.property(rule, (units) => {
      expect(keepRule.parse(textOfRule(units))).toEqual({ ok: true, value: units });
    }),
  );
  for (const text of ['7', '7d7d', '0d', '7x', ' 7d', '12345d', 'd7'])
    expect(keepRule.parse(text).ok).toBe(false);
});
