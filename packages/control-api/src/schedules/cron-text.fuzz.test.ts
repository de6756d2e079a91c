import { cronText } from '@steward/shared/api/cron-text';
import { ownMs } from '@steward/testing/loop-delay';
import { count } from '@steward/testing/scale';
import { Cron } from 'croner';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CronTimes } from './cron-times.ts';

const now = Date.UTC(2026, 10, 21);
/** Of one text, on a slow machine: what a hostile one could take from everybody else. */
const longestMs = 1_000;

const piece = fc.oneof(
  fc.constantFrom(
    '*',
    '*/5',
    '0',
    '59',
    '60',
    '1-5',
    '5-1',
    '*/0',
    'MON',
    'jan-dec',
    'L',
    '?',
    '1#2',
    '15W',
    '+1',
    '-1',
    '',
  ),
  fc.integer({ min: 0, max: 99 }).map(String),
  fc.string({ unit: fc.constantFrom(...'0123456789*,-/LW#?+ MONJAN'), maxLength: 8 }),
);
const field = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join());
const span = (least: number, most: number) => {
  const value = fc.integer({ min: least, max: most });
  const range = fc
    .tuple(value, value)
    .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`);
  const stepped = fc.tuple(
    fc.oneof(fc.constant('*'), range),
    fc.integer({ min: 1, max: Math.min(most - least + 1, most) }),
  );
  const item = fc.oneof(
    fc.constant('*'),
    value.map(String),
    range,
    stepped.map((both) => both.join('/')),
  );
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join());
};
const good = fc
  .tuple(span(0, 59), span(0, 23), span(1, 31), span(1, 12), span(0, 7))
  .map((fields) => fields.join(' '));

/** Good but for one field, so that each is looked at: among five odd ones the first that cannot be read would be all that is. */
const almost = fc
  .tuple(good, fc.nat(4), field)
  .map(([text, place, odd]) => text.split(' ').with(place, odd).join(' '));
const texts = fc.oneof(
  { weight: 6, arbitrary: almost },
  { weight: 1, arbitrary: fc.string({ maxLength: 300 }) },
);

it('every text is read or refused with words, and the library reads whatever is read here', () => {
  const asserted = fc.property(texts, (text) => {
    const parsed = cronText.parse(text);
    if (!parsed.ok) {
      expect(parsed.reason).toMatch(/^(has|is) .{3,}/);
      return;
    }
    const began = ownMs();
    const next = new CronTimes(parsed.value, 'Europe/Berlin').nextAfter(now);
    expect(ownMs() - began, text).toBeLessThan(longestMs);
    if (next !== undefined) expect(next).toBeGreaterThan(now);
  });
  fc.assert(asserted, { numRuns: count({ small: 400, long: 200_000 }) });
});

it('what the form allows is read, and comes when the library says that it does', () => {
  const asserted = fc.property(good, (text) => {
    const parsed = cronText.parse(text);
    expect(parsed, text).toMatchObject({ ok: true });
    const theirs = new Cron(text, { mode: '5-part', timezone: 'UTC', paused: true }).nextRun(new Date(now));
    expect(new CronTimes(text, 'UTC').nextAfter(now)).toBe(theirs?.getTime());
  });
  fc.assert(asserted, { numRuns: count({ small: 200, long: 50_000 }) });
});
