import timers from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { hangUp, newClient } from './steam-user-internals.ts';
import { loadSteamUser } from './steam-user-loading.ts';

/** A client with a question in hand, as the library keeps it. */
async function askedAndHungUp(): Promise<WeakRef<object>> {
  const client = newClient(await loadSteamUser(), {
    ...{ autoRelogin: false, renewRefreshTokens: false, dataDirectory: null },
    ...{ enablePicsCache: false, protocol: 0 },
  });
  Reflect.get(client, '_jobs').add('1', () => client);
  hangUp(client, 'at-once');
  return new WeakRef(client);
}

it('lets a client go that is hung up, and leaves the timers of everybody else alone', async () => {
  const { setInterval } = timers;
  setFlagsFromString('--expose-gc');
  const client = await askedAndHungUp();
  expect(timers.setInterval).toBe(setInterval);
  await nextTurn();
  runInNewContext('gc')();
  expect(client.deref()).toBeUndefined();
});
