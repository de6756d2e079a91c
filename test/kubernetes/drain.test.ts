import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Program, scriptedGame } from '@steward/testing/program';
import { scale } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, expect, it } from 'vitest';

const key = 'the-key-of-this-farm';
const hook = 'deploy/kubernetes/base/drain.mjs';
/** A game that takes its time once it has been told to stop: who does not wait for it ends before it. */
const slowToLeave = `
  const game = ${JSON.stringify(scriptedGame)};
  const child = require('node:child_process').spawn(process.execPath, [game], { stdio: 'inherit' });
  child.once('exit', () => setTimeout(() => process.exit(0), 2000));
`;
const directory = temporaryDirectory();
let api: Program;
let origin: URL;

beforeAll(async () => {
  writeFileSync(join(directory.path, 'API_KEY'), `${key}\n`);
  writeFileSync(join(directory.path, 'ANOTHER'), 'a-key-of-nobody');
  api = new Program('packages/control-api/src/main.ts', [], {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    API_KEY: key,
    STATE_DIR: join(directory.path, 'state'),
    SETTINGS_PATH: join(directory.path, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_COMMAND: JSON.stringify([process.execPath, '-e', slowToLeave]),
  });
  const [, address = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  origin = new URL(address);
  await api.line(/is connected/);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

it('ends once the game is away, and again at once where it is', async () => {
  for (const _ of ['first', 'again']) {
    await using preStop = hooked('API_KEY');
    expect(await preStop.exited, preStop.stderr.join('\n')).toEqual({ code: 0, signal: null });
    expect(await drain()).toMatchObject({ draining: { when: 'now', restart: false, phase: 'stopped' } });
  }
});

it('says in the API’s words why it can do nothing, for the event that the cluster makes of it', async () => {
  await using preStop = hooked('ANOTHER');
  expect((await preStop.exited).code).toBe(1);
  expect(preStop.stderr.join('\n')).toContain('The API key is wrong (unauthorized)');
});

it.runIf(scale === 'long')('gives up on a server that is stuck', { timeout: 60_000 }, async () => {
  await using stuck = createServer(() => {}).listen(0, '127.0.0.1');
  await once(stuck, 'listening');
  const { port } = stuck.address() as AddressInfo;
  await using preStop = hooked('API_KEY', String(port));
  expect((await preStop.exited).code).toBe(1);
  expect(preStop.stderr.join('\n')).toContain('TimeoutError');
  stuck.closeAllConnections();
});

function hooked(file: string, port = origin.port): Program {
  return new Program(hook, ['1'], { API_KEY_FILE: join(directory.path, file), API_PORT: port });
}

async function drain(): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(new URL('/drain', origin), { headers })).json();
}
