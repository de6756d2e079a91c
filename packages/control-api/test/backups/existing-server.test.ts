import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { ExistingStage } from '../game/stage/existing-stage.ts';
import { stateThat } from '../game/stage/process-stage.ts';
import { meadow, placesIn, restoreStage } from './stage/restore-stage.ts';
import { plant, treeOf } from './stage/trees.ts';

/** Takes connections, and says nothing. */
async function silentAt(port: number): Promise<AsyncDisposable> {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(port, '127.0.0.1');
  await once(silent, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(silent, 'close');
      silent.close();
      await closed;
    },
  };
}

it('a restore that cannot be finished keeps nobody from its API, though the server cannot be stopped from here', async () => {
  await using existing = new ExistingStage();
  const server = await existing.server();
  using directory = temporaryDirectory();
  const { state } = placesIn(directory.path);
  plant(state, { 'restore.json': 'not a record' });
  const environment = { GAME_BRIDGE: 'existing', EXISTING_URL: server.origin, EXISTING_API_KEY: 'k' };
  await using stage = await restoreStage({ at: directory.path, environment });
  expect(await stage.ask('GET', '/status')).toMatchObject({ status: 200 });
});

it('its farm is backed up while it runs and restored once it is stopped, and it is unknown when it saves', async () => {
  await using existing = new ExistingStage();
  const server = await existing.server();
  using directory = temporaryDirectory();
  const { settings, saves } = placesIn(directory.path);
  mkdirSync(dirname(settings));
  writeFileSync(settings, 'its own');
  plant(saves, { [`${meadow}/SaveGameInfo`]: 'then', [`${meadow}/${meadow}`]: 'then' });
  const then = treeOf(saves);
  const environment = { GAME_BRIDGE: 'existing', EXISTING_URL: server.origin, EXISTING_API_KEY: 'k' };
  await using stage = await restoreStage({ at: directory.path, environment });
  await stage.live();
  expect(await stage.ask('POST', '/backups?fresh=true')).toMatchObject({
    status: 501,
    body: { code: 'not-supported-by-game', detail: expect.stringMatching(/leave out fresh/) },
  });
  const { body } = await stage.ask('POST', '/backups');
  const { id, parts } = body['backup'] as { id: string; parts: string[] };
  expect(parts).toEqual(['saves', 'database']);
  plant(saves, { [`${meadow}/${meadow}`]: 'now' });
  expect(await stage.ask('POST', `/backups/restore?id=${id}`)).toMatchObject({
    status: 409,
    body: { code: 'game-running', detail: expect.stringMatching(/docker compose stop/) },
  });
  const port = server.port;
  await existing.close(server);
  await stateThat(stage.service.bridge, ({ link }) => link.status === 'gone');
  {
    // It hangs, with its farm in memory, which it would save over what is restored.
    await using _hanging = await silentAt(port);
    expect(await stage.ask('POST', `/backups/restore?id=${id}`)).toMatchObject({
      status: 409,
      body: { code: 'game-running' },
    });
  }
  expect(await stage.ask('POST', `/backups/restore?id=${id}`)).toMatchObject({
    status: 200,
    body: { isSeen: false, message: expect.stringMatching(/Start the game/) },
  });
  expect(treeOf(saves)).toEqual(then);
});
