import { openPage } from '@steward/testing/browser';
import { Program, scriptedGame } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { Client } from './stage/client.ts';

const entry = 'packages/control-api/src/main.ts';

function environment(directory: string) {
  return {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    API_KEY: 'k3y',
    STATE_DIR: directory,
    SETTINGS_PATH: `${directory}/server-settings.json`,
    PLATFORM_AUTH_URL: '',
  };
}

async function authenticated(origin: string): Promise<Client> {
  const client = await Client.open(`${origin.replace('http', 'ws')}/ws`);
  client.send({ type: 'auth', payload: { token: 'k3y' } });
  await client.next('auth_success');
  return client;
}

it('speaks in a game that runs as a process, and says goodbye with 1012 when it is stopped', async () => {
  using directory = temporaryDirectory();
  await using api = new Program(entry, [], {
    ...environment(directory.path),
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_COMMAND: JSON.stringify([process.execPath, scriptedGame]),
  });
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  await api.line(/Scripted game 1\.0\.0 is connected/);
  const client = await authenticated(origin);
  client.send({ type: 'chat_send', payload: { author: 'Robin', message: 'good morning', id: '1' } });
  expect((await client.next('chat_sent')).payload).toEqual({ id: '1', status: 'delivered' });
  api.kill('SIGTERM');
  expect((await client.closed).code).toBe(1012);
  expect(await api.exited).toEqual({ code: 0, signal: null });
  expect([...api.stdout, ...api.stderr].join('\n')).not.toContain('k3y');
});

it('goes on after a stop in order, and says after a kill that there is a gap', async () => {
  using directory = temporaryDirectory();
  let cursor: string | undefined;
  const lives = [
    { gap: false, ends: 'SIGTERM' },
    { gap: false, ends: 'SIGKILL' },
    { gap: true, ends: 'SIGKILL' },
  ] as const;
  for (const { gap, ends } of lives) {
    await using api = new Program(entry, [], environment(directory.path));
    const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
    const client = await authenticated(origin);
    client.send({ type: 'resume', payload: cursor === undefined ? {} : { cursor } });
    const resumed = await client.next('resumed');
    expect(resumed.payload.gap).toBe(gap);
    cursor = resumed.payload.cursor;
    api.kill(ends);
    await api.exited;
  }
});

it('serves a page in a real browser', async () => {
  using directory = temporaryDirectory();
  await using api = new Program(entry, [], environment(directory.path));
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  await using page = await openPage();
  // Any page of that server is as good; this one is there at once.
  await page.goto(`${origin}/health`);
  const heard = await page.evaluate(
    async (url) => {
      const socket = new WebSocket(url);
      const types: string[] = [];
      await new Promise<void>((resolve, reject) => {
        socket.onerror = () => reject(new Error('the browser cannot connect'));
        socket.onopen = () => {
          socket.send('{"type":"auth","payload":{"token":"k3y"}}');
          socket.send('{"type":"ping"}');
        };
        socket.onmessage = ({ data }) => {
          types.push(JSON.parse(data).type);
          if (types.length === 2) resolve();
        };
      });
      return types;
    },
    `${origin.replace('http', 'ws')}/ws`,
  );
  expect(heard).toEqual(['auth_success', 'pong']);
});
