import { ExistingServer } from '@steward/existing-server-double/existing-server';
import { anyText } from '@steward/testing/hostile/text';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExistingClient } from '../../src/game/existing/existing-client.ts';
import { existingLimits } from '../../src/game/existing/existing-limits.ts';
import { operationsOver } from './stage/existing-operations.ts';

let server: ExistingServer;
beforeAll(async () => {
  server = await ExistingServer.start({ budgets: { actionMs: 1, deletionMs: 1 } });
});
afterAll(() => server[Symbol.asyncDispose]());

const telling = [
  ...['Timeout', 'timed out', 'Deletion timed out', 'not found', 'online', ' - currently online', 'range'],
  ...['Value 1 out of range (600-2600)', 'Cannot delete farmhand while save is in progress', 'saving'],
  ...['Server not ready', "Farmhand 'Ann' not found", 'Farmhand id=7 not found', "Player 'Ann' not found"],
  ...[
    "Cannot delete farmhand 'Ann' - currently online",
    "' not found",
    "'",
    '"',
    '\n',
    'id=7',
    '$',
    '\u2028',
  ],
];

/** What a player may be called: anything, and above all what that server says itself. */
const name = fc
  .oneof(
    fc.constantFrom(...telling),
    fc
      .array(fc.constantFrom(...telling, ' ', 'x'), { minLength: 2, maxLength: 4 })
      .map((some) => some.join('')),
    anyText({ minLength: 1, maxLength: 12 }),
  )
  .map((text) => text.toWellFormed());

const forGood = { state: 'unknown', forGood: true };
const refused = (code: string) => ({ state: 'refused', outcome: { code } });

/** How it stands with whom is meant, and what a deletion and a role come to then. */
const fates = {
  offline: { deleteFarmhand: { state: 'applied' }, grantAdmin: { state: 'applied' } },
  online: { deleteFarmhand: refused('online'), grantAdmin: { state: 'applied' } },
  absent: { deleteFarmhand: refused('not-found'), grantAdmin: refused('not-found') },
  saving: { deleteFarmhand: refused('saving'), grantAdmin: { state: 'applied' } },
  unloaded: { deleteFarmhand: refused('not-ready'), grantAdmin: refused('not-ready') },
  frozen: { deleteFarmhand: forGood, grantAdmin: refused('busy') },
  // What is thrown may come after the change: nothing proves that nothing was changed.
  faulty: { deleteFarmhand: forGood, grantAdmin: forGood },
};

it('a refusal is read for what it says, whatever the player is called', { timeout: 3_600_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      name,
      fc.constantFrom(...(Object.keys(fates) as (keyof typeof fates)[])),
      fc.constantFrom('deleteFarmhand', 'grantAdmin'),
      fc.boolean(),
      name,
      async (called, fate, command, byId, word) => {
        const { farm } = server;
        Object.assign(farm, { isLoaded: fate !== 'unloaded', isSaving: fate === 'saving' });
        farm.fault = fate === 'faulty' ? `The word '${word}' ${word}` : undefined;
        const character = farm.addSlot();
        farm.customize(character, called);
        character.isOnline = fate === 'online';
        if (fate === 'absent') farm.characters.length = 0;
        if (fate === 'frozen') farm.thread.freeze();
        const client = new ExistingClient({
          url: new URL(server.origin),
          key: undefined,
          limits: existingLimits,
        });
        try {
          const { run } = operationsOver(client, () => ({ farmhands: [] }));
          const target = byId ? { playerId: String(character.id) } : { name: called };
          expect(await run({ name: command, params: { target } })).toMatchObject(fates[fate][command]);
        } finally {
          farm.characters.length = 0;
          farm.thread.thaw();
        }
      },
    ),
    { numRuns: count({ small: 150, long: 20_000 }) },
  ),
);
