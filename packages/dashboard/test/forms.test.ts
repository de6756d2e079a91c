import { readFileSync } from 'node:fs';
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { emptying, type Kind } from '../src/parts/typed.ts';
import * as newFarm from '../src/views/game/form.ts';
import * as schedule from '../src/views/schedules/form.ts';
import { typedSince } from '../src/views/settings/fields.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: {
    readonly type: string | readonly string[];
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
  };
}

const { paths } = JSON.parse(
  readFileSync(new URL('../../../docs/api-spec.json', import.meta.url), 'utf8'),
) as Record<'paths', Record<'/schedules' | '/farms', { post: { parameters: Parameter[] } }>>;

const queryOf = (path: keyof typeof paths) =>
  paths[path].post.parameters.filter((parameter) => parameter.in === 'query');

/** How what the API’s document says of a parameter is typed in. */
function kindOf({ schema: { type, enum: of, minimum: min = 0, maximum: max = 0 } }: Parameter): Kind {
  if (of !== undefined) return { is: 'choice', of };
  if (type === 'integer') return { is: 'number', min, max };
  return { is: type === 'boolean' ? 'flag' : 'text' };
}

it('has a field for all that an action of a schedule is told, as the API’s document says it', () => {
  const documented = queryOf('/schedules').filter(({ description }) => description.includes('Of the action'));
  expect(schedule.parameterKinds).toEqual(
    Object.fromEntries(documented.map((each) => [each.name, kindOf(each)])),
  );
  const action = queryOf('/schedules').find(({ name }) => name === 'action');
  expect(Object.keys(schedule.parametersOf).sort()).toEqual([...(action?.schema.enum ?? [])].sort());
  for (const [name, parameters] of Object.entries(schedule.parametersOf)) {
    const told = documented.filter(({ description }) =>
      [...description.matchAll(/Of the actions? ([a-z, ]+):/g)].some(([, names = '']) =>
        names.split(/, | and /).includes(name),
      ),
    );
    expect([...parameters].sort()).toEqual(told.map((each) => each.name).sort());
  }
});

it('has a field for all that a new farm is made from, as the API’s document says it', () => {
  const before = ['when', 'minutes', 'seconds', 'message', 'force'];
  const documented = queryOf('/farms').filter(({ name }) => !before.includes(name));
  expect(newFarm.farmParts).toEqual(Object.fromEntries(documented.map((each) => [each.name, kindOf(each)])));
});

const draft: schedule.Draft = { ...schedule.freshDraft(), name: ' nightly ', zone: 'Europe/Berlin' };

it('asks for a schedule as it was typed, and for nothing that was left empty or is of another action', () => {
  const nightly = { name: 'nightly', cron: '0 5 * * *', timeZone: 'Europe/Berlin', missed: 'skip' };
  expect(schedule.askedOf(draft)).toEqual({ ...nightly, action: 'save' });
  expect(schedule.askedOf({ ...draft, action: 'drain', minutes: '5', message: ' ' })).toEqual({
    ...nightly,
    ...{ action: 'drain', when: 'day-end', restart: true, minutes: 5 },
  });
  expect(schedule.askedOf({ ...draft, at: 'own', cron: ' 1 2 * * * ', zone: '', missed: 'true' })).toEqual({
    ...{ name: 'nightly', action: 'save', cron: '1 2 * * *', missed: 'once' },
  });
  expect(schedule.askedOf({ ...draft, action: 'rendering', at: 'empty', emptyMinutes: '7' })).toEqual({
    ...{ name: 'nightly', action: 'rendering', fps: 0, emptyMinutes: 7 },
  });
});

it.each<[Partial<schedule.Draft>, readonly string[]]>([
  [{}, []],
  [{ name: ' ' }, ['name']],
  [{ at: 'own', cron: '5 * * *' }, ['cron']],
  [{ cron: 'never read' }, []],
  [{ at: 'empty', emptyMinutes: '0' }, ['emptyMinutes']],
  [{ action: 'announce' }, ['message']],
  [{ action: 'rendering', fps: '' }, ['fps']],
  [{ action: 'drain', minutes: '', seconds: '3601' }, ['seconds']],
])('says what is wrong with a schedule before it is sent: %j', (typed, wrong) => {
  expect(Object.keys(schedule.wrongOf({ ...draft, ...typed }))).toEqual(wrong);
});

it('makes a farm from what was typed otherwise than the settings have it', () => {
  const game = { farmName: 'Meadow', farmType: 0, startingCabins: 1, remixMines: false };
  expect(newFarm.askedOf(game, {})).toEqual({});
  expect(newFarm.askedOf(game, { farmName: 'Meadow', startingCabins: '1', remixMines: 'false' })).toEqual({});
  expect(
    newFarm.askedOf(game, { farmType: ' 5 ', profitMargin: '0.5', remixMines: 'true', randomSeed: '' }),
  ).toEqual({ farmType: 5, profitMargin: 0.5, remixMines: true });
  expect(newFarm.askedOf(game, { farmType: 'Some.Mod_Farm', randomSeed: '0070' })).toEqual({
    ...{ farmType: 'Some.Mod_Farm', randomSeed: '0070' },
  });
  // By its name as by its number.
  expect(newFarm.textOf(game, {}, 'farmType')).toBe('Standard');
  expect(newFarm.askedOf(game, { farmType: 'Standard' })).toEqual({});
  expect(newFarm.textOf({ farmType: 'Some.Mod_Farm' }, {}, 'farmType')).toBe('Some.Mod_Farm');
});

it('makes a farm of another seed where the seed of the settings was taken out', () => {
  const { randomSeed, ...others } = newFarm.askedOf({ randomSeed: '42' }, { randomSeed: ' ' });
  expect(randomSeed).toMatch(/^\d{10,20}$/);
  expect(others).toEqual({});
  expect(newFarm.askedOf({ randomSeed: '42' }, {})).toEqual({});
});

it.each<[newFarm.PartName, readonly string[], readonly string[]]>([
  ['farmName', ['Meadow'], ['', ' ']],
  ['profitMargin', ['1', '0.25'], ['', '0', '-1', 'half']],
  ['startingCabins', ['0', '7'], ['', '-1', '1.5']],
  ['petBreed', ['-1', '9'], ['', 'cat']],
  ['randomSeed', ['', '42'], ['-1', '1'.repeat(21), 'luck']],
])('says what is wrong with %s of a new farm', (name, right, wrong) => {
  for (const text of right) expect(newFarm.wrongWith(name, text)).toBeUndefined();
  for (const text of wrong) expect(newFarm.wrongWith(name, text)).toEqual(expect.any(String));
});

it('empties a part of a form that is as it was sent, and none that was typed in since', () => {
  const [sent, typed] = [signal('of then'), signal('of then')];
  const empty = [emptying(sent, ''), emptying(typed, '')];
  expect(sent.value).toBe('of then');
  typed.value = 'of now';
  for (const each of empty) each();
  expect([sent.value, typed.value]).toEqual(['', 'of now']);
});

it('keeps of the settings what was typed while others, or the same, were saved', () => {
  const saved = { maxPlayers: '8', lobbyMode: 'Shared' };
  expect(typedSince(saved, saved)).toEqual({});
  expect(typedSince({ ...saved, maxPlayers: '9', activeLobbyLayout: 'cellar' }, saved)).toEqual({
    maxPlayers: '9',
    activeLobbyLayout: 'cellar',
  });
});
