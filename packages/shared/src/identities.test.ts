import { expect, it } from 'vitest';
import { z } from 'zod';
import { factsFor, isForReaders, operationCommand } from './api/answers/operations.ts';
import { settingsAnswers } from './api/answers/settings.ts';
import { defaultSettings } from './bridge/settings.ts';
import { identity, unmark, withoutIdentities } from './identities.ts';
import type { Scope } from './scopes.ts';

const account = z.object({ name: z.string(), platformId: identity(z.string()).optional() });
const schema = z.object({
  admins: z.array(account).optional(),
  address: identity(z.string().meta({ description: 'From where they came' })),
  why: z.union([z.string(), z.null()]),
});

it('leaves of an answer what its schema names and does not mark, at whatever depth', () => {
  const given = {
    admins: [{ name: 'Ann', platformId: '76561198000000001' }, { name: 'Bob' }],
    address: '192.0.2.7',
    why: null,
    beside: 'what no schema names',
  };
  const left = { admins: [{ name: 'Ann' }, { name: 'Bob' }], why: null };
  expect(withoutIdentities(schema, given)).toEqual(left);
  expect(withoutIdentities(schema, { why: 'late' })).toEqual({ why: 'late' });
  expect(withoutIdentities(schema, 'no object')).toBe('no object');
  expect(withoutIdentities(schema, null)).toBe(null);
});

it('goes by the mark wherever it was made: on what may be absent, too', () => {
  const marked = z.object({ of: identity(z.string().optional()), name: z.string() });
  expect(withoutIdentities(marked, { of: '76561198000000001', name: 'Ann' })).toEqual({ name: 'Ann' });
});

it('says so where they are described', () => {
  expect(z.toJSONSchema(schema.shape.address)).toMatchObject({
    description: 'From where they came. Absent for a key without the scope moderate',
    'x-scope': 'moderate',
  });
});

it('the accounts of admins are marked', () => {
  const { server } = withoutIdentities(settingsAnswers.getSettings[200], defaultSettings) as {
    server: object;
  };
  const { adminPlatformIds: _hidden, ...rest } = defaultSettings.server;
  expect(server).toEqual(rest);
});

it('what an operation changed is told without them, whatever else a game says', () => {
  const { adminPlatformIds, maxPlayers } = defaultSettings.server;
  const facts = { server: { adminPlatformIds, maxPlayers }, platformId: '76561198000000001' };
  const readers: ReadonlySet<Scope> = new Set(['read']);
  expect(factsFor(readers, 'applySettings', facts)).toEqual({ server: { maxPlayers } });
  expect(factsFor(readers, 'clearStamp', { stamp: '46265193014' })).toEqual({});
  const owner = { owned: true, released: false, door: 'network', origin: 'operator' };
  expect(factsFor(readers, 'rebindFarmhand', { ...owner, identity: '46265193014' })).toEqual(owner);
  const moderators: ReadonlySet<Scope> = new Set(['moderate']);
  expect(factsFor(moderators, 'applySettings', facts)).toBe(facts);
  const made = { id: 'key_5b1f0c9a7d24', name: 'status page' };
  expect(factsFor(moderators, 'createKey', made)).toEqual({});
  expect(factsFor(new Set(['admin']), 'createKey', made)).toBe(made);
  expect(
    ['setTime', 'rebindFarmhand', 'createKey'].map((name) => isForReaders(operationCommand.parse(name))),
  ).toEqual([true, true, false]);
});

it('is taken off where no key decides what is shown, with the words about it and no others', () => {
  const schemas = [
    identity(z.string()),
    identity(z.string().meta({ description: 'Whose it is' })),
    z.string(),
  ];
  const shown = schemas.map((schema) => {
    const json = z.toJSONSchema(schema);
    unmark(json);
    return [json['x-scope'], json.description];
  });
  expect(shown).toEqual([
    [undefined, undefined],
    [undefined, 'Whose it is'],
    [undefined, undefined],
  ]);
});
