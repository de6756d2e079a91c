import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CronTimes } from './cron-times.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function timesOf(cron: string, timeZone: string, after: string, many: number): string[] {
  const times = new CronTimes(cron, timeZone);
  const found: string[] = [];
  let last: number | undefined = Date.parse(after);
  while (found.length < many) {
    last = times.nextAfter(last);
    if (last === undefined) break;
    found.push(new Date(last).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length));
  }
  return found;
}

describe('where clocks are set forth', () => {
  it('what is due in the hour that there is not is done once, when it is over', () => {
    const next = ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'];
    expect(timesOf('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', 3)).toEqual(next);
  });

  it('so is what is due in it several times', () => {
    const next = ['2026-03-29T01:00', '2026-03-30T00:00', '2026-03-30T00:15'];
    expect(timesOf('*/15 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 3)).toEqual(next);
  });

  it('what is due each hour goes on each hour', () => {
    const next = ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00'];
    expect(timesOf('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30Z', 3)).toEqual(next);
  });

  it('also at other minutes than the first, with nothing between', () => {
    const next = ['2026-03-29T00:30', '2026-03-29T01:30', '2026-03-29T02:30'];
    expect(timesOf('30 * * * *', 'Europe/Berlin', '2026-03-28T23:45Z', 3)).toEqual(next);
  });

  it('by half an hour, or at midnight, alike', () => {
    const lordHowe = ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15'];
    expect(timesOf('15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T00:00Z', 3)).toEqual(lordHowe);
    const santiago = ['2026-09-05T04:00', '2026-09-06T04:00', '2026-09-07T03:00'];
    expect(timesOf('0 0 * * *', 'America/Santiago', '2026-09-05T00:00Z', 3)).toEqual(santiago);
  });

  it('over a whole day, what was due on it is done when it would have ended', () => {
    const apia = ['2011-12-29T22:00', '2011-12-30T10:00', '2011-12-30T22:00'];
    expect(timesOf('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00Z', 3)).toEqual(apia);
  });
});

describe('where clocks are set back', () => {
  it('what is due in the hour that comes twice is done the first time alone', () => {
    const next = ['2026-10-25T00:30', '2026-10-26T01:30'];
    expect(timesOf('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual(next);
    const often = ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00'];
    expect(timesOf('*/30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 3)).toEqual(often);
  });

  it('what is due each hour goes on each hour', () => {
    const next = ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30'];
    expect(timesOf('*/30 * * * *', 'Europe/Berlin', '2026-10-24T23:45Z', 4)).toEqual(next);
  });

  it.each(['*/1', '0-23', '0-11,12-23', '*/2,1-23/2'])('also where each hour is said as %s', (hours) => {
    const next = ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'];
    expect(timesOf(`0 ${hours} * * *`, 'Europe/Berlin', '2026-10-24T23:45Z', 3)).toEqual(next);
  });

  it('by half an hour alike', () => {
    const next = ['2026-04-04T14:45', '2026-04-05T15:15'];
    expect(timesOf('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00Z', 2)).toEqual(next);
  });
});

it.each(['0 0 31 2 *', '0 0 30 FEB *', '0 0 31 4,6,9,11 *'])('%s never comes', (cron) => {
  expect(new CronTimes(cron, 'Europe/Berlin').nextAfter(Date.UTC(2026, 10, 21))).toBeUndefined();
});

it('the 29th of February comes, where it is a while', () => {
  expect(timesOf('0 0 29 2 *', 'UTC', '2096-03-01T00:00Z', 1)).toEqual(['2104-02-29T00:00']);
});

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Apia',
  'America/Havana',
  'Antarctica/Troll',
];

const hours = fc.constantFrom('*', '0', '1', '2', '3', '23', '*/6', '1-3');
const minutes = fc.constantFrom('0', '30', '*/20', '59', '15,45');

it('each time that a clock on the wall shows is met once, and each that it passes over as well, unless each hour has one', () => {
  const asserted = fc.property(
    fc.constantFrom(...zones),
    hours,
    minutes,
    fc.integer({ min: Date.UTC(2010), max: Date.UTC(2037) }),
    (zone, hour, minute, from) => {
      const times = new CronTimes(`${minute} ${hour} * * *`, zone);
      const wall = new Intl.DateTimeFormat('en', {
        timeZone: zone,
        hourCycle: 'h23',
        dateStyle: 'short',
        timeStyle: 'short',
      });
      const first = from - (from % minuteMs);
      const until = first + 3 * dayMs;
      // What a clock shows minute by minute, and which of its times were there before.
      const shownBefore = new Set<string>();
      for (let at = first - dayMs; at <= first; at += minuteMs) shownBefore.add(wall.format(at));
      const expected: number[] = [];
      for (let at = first + minuteMs; at <= until; at += minuteMs) {
        const shown = wall.format(at);
        const isAgain = shownBefore.has(shown);
        shownBefore.add(shown);
        const [, shownHour = '', shownMinute = ''] = /(\d+):(\d+)$/.exec(shown) ?? [];
        if (isIn(hour, Number(shownHour)) && isIn(minute, Number(shownMinute)) && (hour === '*' || !isAgain))
          expected.push(at);
      }
      const found: number[] = [];
      let last = times.nextAfter(first);
      while (last !== undefined && last <= until) {
        found.push(last);
        last = times.nextAfter(last);
      }
      expect(found).toEqual(found.toSorted((one, other) => one - other));
      const setForth = found.filter((at) => !expected.includes(at));
      expect(expected.filter((at) => !found.includes(at))).toEqual([]);
      // What is met beside those is what the clock passed over: at the minute at which it was set forth.
      if (hour === '*') expect(setForth).toEqual([]);
      for (const at of setForth)
        expect(
          offsetOf(wall, at) - offsetOf(wall, at - minuteMs),
          new Date(at).toISOString(),
        ).toBeGreaterThan(0);
      expect(new Set(found).size).toBe(found.length);
    },
  );
  fc.assert(asserted, { numRuns: count({ small: 30, long: 5_000 }) });
});

function isIn(field: string, value: number): boolean {
  if (field === '*') return true;
  if (field.startsWith('*/')) return value % Number(field.slice(2)) === 0;
  const [from, to] = field.split('-').map(Number);
  if (to !== undefined && from !== undefined) return value >= from && value <= to;
  return field.split(',').map(Number).includes(value);
}

function offsetOf(wall: Intl.DateTimeFormat, at: number): number {
  const shown = wall.format(at);
  return Date.parse(`${shown.replace(',', '')} UTC`) - at;
}
