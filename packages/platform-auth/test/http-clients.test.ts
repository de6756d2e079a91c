import { HttpClients } from '@steward/testing/http-clients';
import { expect, it } from 'vitest';
import { Emulated } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const secret = 'what-the-control-api-knows';

it('the lobby is taken from every HTTP client, and who sends none is told so at once', async () => {
  await using world = await Emulated.start();
  const { platform, directory } = world;
  await using sidecar = await LocalSidecar.start({
    platform,
    directory,
    secret,
    token: platform.refreshToken('ann'),
  });
  await sidecar.until('logged-in');
  const put = { method: 'PUT', url: `http://127.0.0.1:${await sidecar.listen()}/platform/lobby` };

  await using clients = new HttpClients({ authorization: `Bearer ${secret}` });
  const lobby = { game_server_id: '90203554190155185', protocol_version: '1.6', max_members: 8 };
  const taken = await clients.send([{ ...put, body: lobby }]);
  expect(taken.map(({ way, status }) => [way, status])).toEqual(taken.map(({ way }) => [way, 200]));
  expect(taken.length).toBeGreaterThan(5);

  const untold = await clients.send([put]);
  for (const { way, status, body } of untold) {
    if (way === 'curl that asks first') expect(body, way).toContain('with Content-Type: application/json');
    // It asks for nothing that is not so already.
    else if (/(with|json=)\W*\{\}/.test(way)) expect([way, status]).toEqual([way, 200]);
    else expect(JSON.parse(body), way).toMatchObject({ status: 400, code: 'missing-parameter' });
  }
  expect(untold.length).toBeGreaterThan(40);
});
