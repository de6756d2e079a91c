import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { Operations } from '../../src/game/operations/operations.ts';
import { bridgeLimits } from '../../src/game/state/limits.ts';
import { KeyRing } from '../../src/keys/key-ring.ts';
import { KeptKeys } from '../../src/store/kept/keys.ts';
import { StoreError } from '../../src/store/tables/store-error.ts';
import { MemoryStore } from '../game/stage/memory-store.ts';
import { settled } from '../game/stage/stage.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const bot = { name: 'bot', scopes: ['read'] } as const;

/** Keys on a disk that does what the test says. */
function openStage() {
  const clock = new ManualClock();
  const disk: { write: () => Promise<number>; lost: string | undefined } = {
    write: async () => 1,
    lost: undefined,
  };
  const kept = new KeptKeys({
    kept: () => [],
    noDatabase: () => disk.lost,
    writer: { write: () => disk.write() },
  });
  const store = new MemoryStore();
  const operations = new Operations({ store, clock, limits: bridgeLimits, log, keepsJournal: false });
  return { clock, disk, ring: new KeyRing({ kept, operations, clock, log, hasOwner: true }) };
}

it('what a disk has not taken within ten seconds nobody knows of, until it has; then a retry is told', async () => {
  const { clock, disk, ring } = openStage();
  const writing = Promise.withResolvers<number>();
  disk.write = () => writing.promise;
  const making = ring.create(bot, 'k-1');
  const refused = expect(making).rejects.toMatchObject({
    code: 'outcome-unknown',
    extras: { applied: null, operationId: expect.stringMatching(/^\d+$/) },
  });
  await settled();
  expect(ring.list({ ended: false })).toEqual([]);
  clock.advance(10_000);
  await refused;
  writing.resolve(1);
  expect(await ring.create(bot, 'k-1')).toMatchObject({
    result: { operation: { state: 'applied', outcome: { after: { name: 'bot' } } } },
    secret: undefined,
  });
  expect(ring.list({ ended: false })).toEqual([expect.objectContaining({ name: 'bot' })]);
});

it('what a disk does not take changes nothing, and frees the idempotency key', async () => {
  const { disk, ring } = openStage();
  const { secret = '' } = await ring.create(bot, undefined);
  disk.write = () => Promise.reject(new StoreError('busy', 'too much waits'));
  const { result } = await ring.revoke({ name: 'bot' }, 'k-1');
  expect(result).toMatchObject({ operation: { state: 'void', notDurable: true } });
  expect(ring.callerOf(secret)).toMatchObject({ name: 'bot' });
  disk.write = async () => 1;
  expect(await ring.revoke({ name: 'bot' }, 'k-1')).toMatchObject({
    result: { operation: { state: 'applied' } },
  });
  expect(ring.callerOf(secret)).toBeUndefined();
});

it('where the database is lost while this runs, it is unknown whose a key is', async () => {
  const { disk, ring } = openStage();
  const { secret = '' } = await ring.create(bot, undefined);
  disk.write = () => {
    disk.lost = 'it is damaged';
    return Promise.reject(new StoreError('unreadable', 'it is damaged'));
  };
  await expect(ring.revoke({ name: 'bot' }, undefined)).rejects.toMatchObject({ code: 'state-unreadable' });
  expect(ring.callerOf(secret)).toBeUndefined();
  expect(ring.refusalOf(secret)).toMatchObject({ code: 'state-unreadable' });
  expect(ring.refusalOf('wrong')).toMatchObject({ code: 'unauthorized' });
  expect(() => ring.list({ ended: false })).toThrow(/it is damaged/);
});
