import { createRequire } from 'node:module';
import timers from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collector } from '@steward/service-kit/process/collector';
import { expect, it } from 'vitest';
import { hangUp, newClient, provenVersion } from './steam-user-internals.ts';
import type { SteamUserClient } from './steam-user-library.ts';
import { loadSteamUser } from './steam-user-loading.ts';

it('reaches into the very version of steam-user that it was written against', () => {
  const { version } = createRequire(import.meta.url)('steam-user/package.json');
  expect(version).toBe(provenVersion);
});

async function aClient(): Promise<SteamUserClient> {
  const client = newClient(await loadSteamUser(), {
    autoRelogin: false,
    renewRefreshTokens: false,
    dataDirectory: null,
    enablePicsCache: false,
    protocol: 0,
  });
  ask(client);
  return client;
}

/** A question in hand, as the library keeps it. */
function ask(client: SteamUserClient): void {
  Reflect.get(client, '_jobs').add('1', () => client);
}

/** Gone after a collection, unless something holds it. */
async function isCollected(held: WeakRef<object>): Promise<boolean> {
  await nextTurn();
  collector()();
  return held.deref() === undefined;
}

it('lets a client go that is hung up, and leaves the timers of everybody else alone', async () => {
  const { setInterval } = timers;
  const hungUp = async () => {
    const client = await aClient();
    hangUp(client, 'at-once');
    return new WeakRef(client);
  };
  const client = await hungUp();
  expect(timers.setInterval).toBe(setInterval);
  expect(await isCollected(client)).toBe(true);
});

it('lets a client go that hears only after it is hung up that it is disconnected', async () => {
  const saidGoodbye = async () => {
    const client = await aClient();
    hangUp(client, 'polite');
    client._initProperties();
    ask(client);
    return new WeakRef(client);
  };
  expect(await isCollected(await saidGoodbye())).toBe(true);
});

it('lets the caches of one connection go when a client makes the next', async () => {
  const client = await aClient();
  const cachesOfOne = () => {
    const caches = new WeakRef(Reflect.get(client, '_jobs'));
    client._initProperties(true);
    return caches;
  };
  expect(await isCollected(cachesOfOne())).toBe(true);
  hangUp(client, 'at-once');
});
