import { type Endpoint, methodAndPath } from '@steward/shared/api/endpoint';
import { endpointIds, endpoints } from '@steward/shared/api/endpoints';
import { expect, it } from 'vitest';
import { openApi, testKey } from './stage/open-api.ts';

/** As a platform or a network knows an admin, who is online, and who once declared a farmhand theirs; no example has these. */
const admin = '76561198765432102';
const online = '76561198765432101';
const declared = '46265193777';

const read = endpointIds.filter((id) => {
  const endpoint: Endpoint = endpoints[id];
  return endpoint.on.startsWith('GET ') && ['read', 'public'].includes(String(endpoint.scope));
});

/** A farm on which everything was done whose operation tells of one of them, and keys for two people. */
async function stage() {
  const api = await openApi({ leftBackups: [], key: testKey });
  const { farm } = api;
  farm.state = {
    ...farm.state,
    players: farm.state.players.map((player) => ({ ...player, connectionId: `GN_${online}` })),
    farmhands: farm.state.farmhands.map((slot) =>
      slot.name === 'Bob' ? { ...slot, stamp: declared } : slot,
    ),
  };
  farm.tell();
  await api.ask('POST', `/settings?adminPlatformIds=${admin}&maxPlayers=8`);
  await api.ask('POST', '/farmhands/release?name=Bob');
  await expect.poll(() => farm.heard).toContain('clearStamp');
  const keyFor = async (name: string, scopes: string) => {
    const made = await api.ask('POST', `/keys?name=${name}&scopes=${scopes}`);
    return String(made.exact['secret']);
  };
  const friend = await keyFor('friend', 'read');
  return { api, friend, moderator: await keyFor('moderator', 'read,moderate') };
}

it('no read shows them to a key that may not moderate, by whichever way it is answered', async () => {
  const { api, friend, moderator } = await stage();
  await using _ends = api;
  using client = await api.listen();
  const { operations } = (await api.ask('GET', '/operations')).exact as {
    operations: { operationId: string }[];
  };
  const paths = [
    ...read.map((id) => methodAndPath(endpoints[id]).path).filter((path) => !path.includes('{')),
    ...operations.map(({ operationId }) => `/operations/${operationId}`),
  ];
  expect(paths).toEqual(expect.arrayContaining(['/status', '/players', '/settings', '/operations']));
  const told = async (key: string) => {
    const bodies: string[] = [];
    for (const path of paths)
      for (const way of [{}, { client }]) {
        const answer = await api.ask('GET', path, { key, ...way });
        expect(answer.statusCode, path).toBeLessThan(400);
        bodies.push(answer.body);
      }
    return [admin, online, declared].filter((identity) => bodies.some((body) => body.includes(identity)));
  };
  expect(await told(friend)).toEqual([]);
  expect(await told(moderator)).toEqual([admin, declared]);
});

it('what is left is all the rest, under an entity tag of its own', async () => {
  const { api, friend, moderator } = await stage();
  await using _ends = api;
  using client = await api.listen();
  const whole = await api.ask('GET', '/settings', { key: moderator, client });
  const others = await api.ask('GET', '/settings', { key: friend, client });
  const { adminPlatformIds, ...rest } = whole.exact['server'] as Record<string, unknown>;
  expect(adminPlatformIds).toEqual([admin]);
  expect(others.exact).toEqual({ ...whole.exact, server: rest });
  const again = async (key: string, etag: unknown) => {
    const headers = { 'if-none-match': String(etag) };
    return (await api.ask('GET', '/settings', { key, client, headers })).statusCode;
  };
  expect(await again(friend, whole.headers.etag)).toBe(200);
  expect(await again(friend, others.headers.etag)).toBe(304);
  expect(await again(moderator, whole.headers.etag)).toBe(304);
  expect(await again(moderator, others.headers.etag)).toBe(200);
  await api.ask('POST', '/settings?adminPlatformIds=none');
  expect(await again(friend, others.headers.etag)).toBe(304);
  expect(await again(moderator, whole.headers.etag)).toBe(200);
});
