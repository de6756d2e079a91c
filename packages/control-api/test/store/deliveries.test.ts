import { settledMs } from '@steward/service-kit/settled-time';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import type { Operation } from '../../src/game/operations/operation.ts';
import type { Delivery, KeptWebhook } from '../../src/store/tables/webhooks.ts';
import { openedStore } from './opened-store.ts';

const begins = Date.UTC(2026, 10, 21);
const dayMs = 24 * 60 * 60 * 1_000;

const hook: KeptWebhook = {
  id: 'whk_1',
  name: 'channel',
  template: 'standard',
  url: 'https://hooks.example/1',
  secret: null,
  topics: ['chat'],
  identities: false,
  createdAt: begins,
  epoch: 'e1',
  number: 0,
  gapTo: null,
  state: 'active',
  since: begins,
  deliveredAt: null,
  failingSince: null,
  failures: 0,
  tries: 0,
  reason: null,
  notBefore: 0,
};

const operation: Operation = {
  id: '1',
  command: 'createWebhook',
  state: 'applied',
  createdAt: '2026-11-21T00:00:00.000Z',
  changedAt: '2026-11-21T00:00:00.000Z',
  fingerprint: 'f',
};

const givenUp: Omit<Delivery, 'message' | 'at'> = {
  hook: hook.id,
  type: 'chat.said',
  outcome: 'givenUp',
  tries: 3,
  status: 404,
  reason: 'it answered 404',
};

function daysAgo(days: number): number {
  return begins - days * dayMs;
}

it('records of deliveries go by their age, those of a clock that was far behind with those before them', async () => {
  using directory = temporaryDirectory();
  const clock = new ManualClock(new Date(begins - settledMs));
  const { store } = openedStore(directory.path, { clock });
  const webhooks = store.webhooks();
  clock.advance(settledMs);
  const ahead = daysAgo(-5_000);
  const behind = Date.UTC(1970, 0, 1);
  const times = [ahead, daysAgo(40), daysAgo(20), behind, daysAgo(10)];
  await webhooks.change([hook], [], operation);
  await webhooks.move({
    moved: [],
    deliveries: times.map((at, place) => ({ ...givenUp, message: `evt_e1-${place}`, at })),
  });
  const kept = async () => {
    await store.forgetOld();
    const deliveries = await webhooks.deliveries({ limit: 10 });
    return deliveries.map(({ at }) => at).toReversed();
  };
  expect(await kept()).toEqual([ahead, daysAgo(20), behind, daysAgo(10)]);
  clock.advance(15 * dayMs);
  expect(await kept()).toEqual([ahead, daysAgo(10)]);
  await store.close();
});
