import { expect, it } from 'vitest';
import { hangUp } from './steam-user-internals.ts';
import { loadSteamUser } from './steam-user-loading.ts';

it('leaves nothing in the cache of a client that is hung up, which its timer holds for ever', async () => {
  const { Client } = await loadSteamUser();
  const client = new Client({
    ...{ autoRelogin: false, renewRefreshTokens: false, dataDirectory: null },
    ...{ enablePicsCache: false, protocol: 0 },
  });
  client._ttlCache.add('the list of all servers', { servers: [] });
  expect(client._ttlCache.getKeys()).toHaveLength(1);
  hangUp(client, 'at-once');
  expect(client._ttlCache.getKeys()).toEqual([]);
});
