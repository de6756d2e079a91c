import { readFileSync } from 'node:fs';
import type { Settings } from '@steward/client';
import { expect, it } from 'vitest';
import { type Cabin, extent, placed } from '../src/views/cabins/farm-map.ts';
import { linePath, thinned, timeMarks, valueMarks } from '../src/views/plots/scales.ts';
import { changesOf, type FieldName, settingFields, wrongWith } from '../src/views/settings/fields.ts';
import { lastStep, stepAt, timeAt } from '../src/views/time/steps.ts';
import { settingWords } from '../src/words.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
  };
}

const { parameters } = (
  JSON.parse(readFileSync(new URL('../../../docs/api-spec.json', import.meta.url), 'utf8')) as {
    paths: { '/settings': { post: { parameters: Parameter[] } } };
  }
).paths['/settings'].post;

it('has a field for every setting that can be changed, of its kind, as the API’s document says it', () => {
  const documented = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, description }) => ({
      name,
      kind:
        schema.enum !== undefined
          ? { is: 'choice', of: schema.enum }
          : schema.type === 'integer'
            ? { is: 'number', min: schema.minimum, max: schema.maximum }
            : { is: schema.type === 'boolean' ? 'flag' : name === 'adminPlatformIds' ? 'ids' : 'text' },
      ...(description.includes('scope `admin`') ? { isForAdmins: true } : {}),
    }));
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  expect([...settingFields].sort(byName)).toEqual(documented.sort(byName));
  for (const { kind } of settingFields)
    if (kind.is === 'choice')
      expect(Object.keys(settingWords.values)).toEqual(expect.arrayContaining([...kind.of]));
});

const server: Settings['server'] = { maxPlayers: 10, separateWallets: false, adminPlatformIds: ['7', '8'] };

it('sends what was changed, as its kind wants it, and nothing else', () => {
  expect(changesOf(server, {})).toEqual({});
  expect(changesOf(server, { maxPlayers: '10', adminPlatformIds: '7, 8 ' })).toEqual({});
  expect(changesOf(server, { maxPlayers: '12', separateWallets: 'true' })).toEqual({
    maxPlayers: 12,
    separateWallets: true,
  });
  expect(changesOf(server, { adminPlatformIds: ' 9 8,,7' })).toEqual({ adminPlatformIds: '9,8,7' });
  expect(changesOf(server, { adminPlatformIds: ' ' })).toEqual({ adminPlatformIds: 'none' });
});

it.each<[FieldName, readonly string[], readonly string[]]>([
  ['maxPlayers', ['1', '100'], ['', '0', '101', '1.5', 'ten', '-3']],
  ['adminPlatformIds', ['', '7', '7, 8'], ['Ann', '7;8']],
  ['activeLobbyLayout', ['default', 'a-b_9'], ['', ' ', '../x', 'a b']],
])('says what is wrong with %s before it is sent', (name, right, wrong) => {
  const field = settingFields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`There is no ${name}`);
  for (const text of right) expect(wrongWith(field, text)).toBeUndefined();
  for (const text of wrong) expect(wrongWith(field, text)).toEqual(expect.any(String));
});

it('goes through the farm’s day by ten minutes, as its clock does', () => {
  expect([0, 1, 6, 36, 108, lastStep].map(timeAt)).toEqual([600, 610, 700, 1200, 2400, 2600]);
  for (let step = 0; step <= lastStep; step += 1) expect(stepAt(timeAt(step))).toBe(step);
  expect([0, 530, 2700].map(stepAt)).toEqual([0, 0, lastStep]);
});

it('marks a plot at round numbers, from zero to its top', () => {
  expect(valueMarks(8)).toEqual([0, 2, 4, 6, 8]);
  expect(valueMarks(1_099)).toEqual([0, 500, 1_000, 1_500]);
  expect(valueMarks(0.25)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(valueMarks(0)).toEqual([0, 1]);
});

it('marks a plot at round times of the viewer’s clock', () => {
  const from = Date.parse('2026-11-22T09:50:00Z');
  const hours = (count: number) => count * 3_600_000;
  const inIndia = 5.5 * hours(1);
  const day = timeMarks(from, from + hours(24), 6, inIndia);
  expect(day.areDays).toBe(false);
  expect(day.marks.map((at) => new Date(at + inIndia).toISOString().slice(11, 16))).toEqual([
    '16:00',
    '20:00',
    '00:00',
    '04:00',
    '08:00',
    '12:00',
  ]);
  const year = timeMarks(from, from + hours(24 * 400), 8, 0);
  expect(year.areDays).toBe(true);
  expect(year.marks.length).toBeLessThanOrEqual(8);
});

it('draws no line over what was not measured, and loses no peak', () => {
  const path = linePath(
    [1, 2, null, 3, null, null, 4],
    (index) => index,
    (value) => value * 10,
  );
  expect(path).toBe('M0 10L1 20M3 30h1.5M6 40h1.5');
  expect(thinned([1, 9, 2, null, null, null], 3)).toEqual({ values: [9, 2, null], each: 2 });
  expect(thinned([60, 20, 60, 59], 2, Math.min)).toEqual({ values: [20, 59], each: 2 });
  expect(thinned([1, 2], 5)).toEqual({ values: [1, 2], each: 1 });
});

it('draws as much of the farm as its cabins need', () => {
  const cabin = (tileX: number, tileY: number, isHidden = false): Cabin => ({
    ...{ tileX, tileY, isHidden, type: 'Normal', ownerName: '', isAssigned: false },
    ...{ ownerId: 0n, ownerIdStr: '0' },
  });
  expect(extent([])).toEqual({ width: 80, height: 65 });
  expect(extent([cabin(100, 10), cabin(500, 500, true)])).toEqual({ width: 108, height: 65 });
  expect([cabin(1, 1), cabin(1, 1, true), cabin(-20, -20)].map(placed)).toEqual([true, false, false]);
});
