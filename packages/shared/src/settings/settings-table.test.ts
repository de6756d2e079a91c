import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings, gameSettings, serverSettings } from '../bridge/settings.ts';
import {
  choice,
  clampedInteger,
  farmType,
  fileName,
  flag,
  flagOrAuto,
  ids,
  integer,
  name,
  number,
  type SettingKind,
  seed,
  type WrittenValue,
} from './setting-kinds.ts';
import { rowsOf } from './settings-table.ts';

const sections = ['game', 'server'] as const;
const settings = sections.flatMap(rowsOf);

/** A value as a file has it that a program has written. */
function written(value: unknown): WrittenValue {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as 'string');
  const items = Array.isArray(value) ? value.map(written) : [];
  return { type, value, text: JSON.stringify(value), items };
}

const modes = choice(['Shared', 'Individual']);
const few = clampedInteger({ min: 1, max: 60 });

const read: readonly (readonly [string, SettingKind<unknown>, unknown, string, unknown])[] = [
  ['a switch', flag, true, 'true', true],
  ['an integer', integer({ min: 0, max: 9 }), 7, '7', 7],
  ['a number', number({ above: 0 }), 0.25, '0.25', 0.25],
  ['a choice', modes, 'individual', 'Individual', 'Individual'],
  ['a choice', modes, 1, 'Individual', 'Individual'],
  ['a switch with a third way', flagOrAuto, true, 'true', 'true'],
  ['a switch with a third way', flagOrAuto, 'AUTO', 'auto', 'auto'],
  ['a name', name, 'Höhle', 'Höhle', 'Höhle'],
  ["a file's name", fileName, 'lobby_2-B', 'lobby_2-B', 'lobby_2-B'],
  ['a farm type', farmType, 3, '3', 3],
  ['a farm type', farmType, 'four corners', 'FOURCORNERS', 5],
  ['a farm type', farmType, 'Frontier_Farm', 'Frontier_Farm', 'Frontier_Farm'],
  ['a seed', seed, '18446744073709551615', '18446744073709551615', '18446744073709551615'],
  ['ids', ids, [1, '2'], '1,2', ['1', '2']],
  ['no ids', ids, [], 'none', []],
  ['no ids', ids, [], '', []],
];

it.each(read)('%s is read from a file and from text: %#', (_what, kind, inFile, text, value) => {
  expect(kind.take(written(inFile))).toEqual({ ok: true, value });
  expect(kind.parse(text)).toEqual({ ok: true, value });
});

const refused: readonly (readonly [string, SettingKind<unknown>, unknown, string])[] = [
  ['a switch', flag, 'true', 'TRUE'],
  ['an integer', integer({ min: 0, max: 9 }), 10, '10'],
  ['an integer', integer({ min: 0, max: 9 }), -1, '-1'],
  ['an integer', integer({ min: 0, max: 9 }), 1.5, '1.5'],
  ['a number', number({ above: 0 }), 0, '0'],
  ['a number', number({ above: 0 }), '1', '1e3'],
  ['a choice', modes, 2, 'individual'],
  ['a switch with a third way', flagOrAuto, 0, 'TRUE'],
  ['a name', name, '..', '..'],
  ['a name', name, 'a/b', 'a/b'],
  ['a name', name, 7, '\u200b'],
  ['a name', name, 'x'.repeat(101), 'x'.repeat(101)],
  ["a file's name", fileName, '', 'a b'],
  ['a farm type', farmType, 8, '8'],
  ['a farm type', farmType, 1.5, ''],
  ['a farm type', farmType, [], '-1'],
  ['a seed', seed, -1, '-1'],
  ['a seed', seed, true, '1.5'],
  ['ids', ids, ['1', -2], '1,,2'],
  ['ids', ids, '1', '1, 2'],
];

it.each(refused)('%s is refused in a file and in text: %#', (_what, kind, inFile, text) => {
  expect(kind.take(written(inFile)).ok).toBe(false);
  expect(kind.parse(text).ok).toBe(false);
});

it('no seed is a value, and the digits of one in a file are kept', () => {
  expect(seed.take(written(null))).toEqual({ ok: true, value: undefined });
  const exact = { ...written(1), text: '76561198000000001' };
  expect(ids.take({ ...written([]), items: [exact] })).toEqual({ ok: true, value: [exact.text] });
});

it.each([
  [99, 60],
  [-5, 1],
  ['99', undefined],
])('an integer that is brought into its range: %j becomes %j', (value, instead) => {
  expect(few.instead?.(written(value))).toBe(instead);
});

describe.each(settings)('%s', (_name, { kind, fallback, example, means, key }) => {
  it('takes its own default and example, from the file and from text', () => {
    for (const value of [fallback, example].filter((one) => one !== undefined)) {
      expect(kind.take(written(value))).toEqual({ ok: true, value });
      expect(kind.parse(String(value))).toEqual({ ok: true, value });
    }
  });

  it('takes of any value and text nothing that breaks', () => {
    const value = fc.oneof(fc.jsonValue(), fc.integer(), fc.boolean());
    fc.assert(
      fc.property(value, anyText(), (inFile, text) => {
        for (const parsed of [kind.take(written(inFile)), kind.parse(text)])
          expect(parsed.ok || parsed.reason !== '').toBe(true);
      }),
    );
  });

  it('says what it means, and stands once in the file', () => {
    expect(means).toMatch(/^[A-Z].*[^.]$/);
    expect(settings.filter((row) => row[1].key === key)).toHaveLength(1);
  });
});

it('a game is told what the table allows, and may report more', () => {
  const crowded = { ...defaultSettings.server, maxPlayers: 101 };
  expect(gameSettings.safeParse({ ...defaultSettings, server: crowded }).success).toBe(false);
  expect(serverSettings.parse(crowded)).toEqual(crowded);
  expect(serverSettings.safeParse({ ...defaultSettings.server, maxPlayers: 0 }).success).toBe(false);
});
