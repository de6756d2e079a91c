import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Emulated } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const near = hostileJson(
  {
    game_server_id: '90203554190155185',
    protocol_version: '1.6',
    max_members: 8,
    visibility: 'private',
    metadata: { farm: 'Hill' },
  },
  { game_server_steam_id: 9020355419015518, protocol_version: '1.6', max_members: 8 },
  { lobby_id: 1097752410476096, metadata: { farm: 'Hill', SteamLobby: '1' } },
  { lobby_id: 1097752410476096, privacy: 'friendsonly' },
).map((text) => Buffer.from(text));
const body = fc.oneof(
  { weight: 6, arbitrary: near },
  { weight: 2, arbitrary: damaged(near) },
  { weight: 1, arbitrary: garbage() },
);
const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...['/platform/lobby', '/platform/app-ticket', '/health', '/metrics', '/download'],
      ...['/steam/lobby/create', '/steam/lobby/set-data', '/steam/lobby/set-privacy', '/steam/lobby/status'],
      ...['/steam/app-ticket', '/steam/ready', '/steam/refresh-token'],
    ),
  },
  { weight: 1, arbitrary: fc.webPath().map((text) => text || '/') },
);
const query = fc.oneof(
  fc.constantFrom(
    '',
    '?account=0',
    '?account=7',
    '?account=-0',
    '?account=1e3',
    '?account=%00',
    '?account=0&account=1',
    '?__proto__=1',
  ),
  fc.webQueryParameters().map((text) => `?${text}`),
);
const request = fc.record({
  method: fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'HEAD'),
  path,
  query,
  body: fc.option(body, { nil: undefined }),
  hasSecret: fc.boolean(),
  type: fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-16', ''),
});

const secret = 'what-nobody-was-told';
/** Every refusal of the existing sidecar's is a 500, which its mod knows. */
const refusesAsExisting = (asked: string) => asked.startsWith('/steam/');

it('no body, path or query makes the sidecar stumble, and none gives a credential away', {
  timeout: 3_600_000,
}, async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  const token = platform.refreshToken('ann');
  await using sidecar = await LocalSidecar.start({ platform, directory, token, secret, compat: 'existing' });
  await sidecar.until('logged-in');
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const answer = await withstandAsync(() =>
        sidecar.sidecar.app.inject({
          method: asked.method as 'GET',
          url: `${asked.path}${asked.query}`,
          headers: {
            ...(asked.type === '' ? {} : { 'content-type': asked.type }),
            ...(asked.hasSecret ? { authorization: `Bearer ${secret}` } : {}),
          },
          ...(asked.body === undefined ? {} : { payload: asked.body }),
        }),
      );
      expect(answer.body).not.toContain('made a mistake');
      expect(answer.body).not.toContain(token);
      expect(answer.body).not.toContain(secret);
      if (answer.statusCode >= 500 && !refusesAsExisting(asked.path)) expect(answer.statusCode).toBe(503);
    }),
    { numRuns: count({ small: 400, long: 50_000 }) },
  );
  expect((await sidecar.status()).state).toBe('logged-in');
});
