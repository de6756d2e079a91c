import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { giveOrder } from '@steward/simulated-game/control/order-line';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const entry = 'packages/local-stack/src/main.ts';

// The control API lets a game that has only just begun finish its start and its save before it stops it.
const stopsWithinMs = 60_000;

// A person of the demo's comes within twenty seconds of the farm's time, and begins with going home and trying again.
const codeWithinMs = 50_000;

/** A stack that shares nothing with any other, a person's own least of all. */
async function start(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<Program> {
  const [API_PORT = '', PORT = '', DASHBOARD_PORT = ''] = await Promise.all(
    Array.from({ length: 3 }, async () => String(await freePort())),
  );
  const ports = { API_PORT, PORT, DASHBOARD_PORT };
  return new Program(entry, ['--state', ownDirectory(), ...args], { ...ports, ...environment });
}

const directories: ReturnType<typeof temporaryDirectory>[] = [];
afterAll(() => {
  for (const directory of directories) directory[Symbol.dispose]();
});

function ownDirectory(): string {
  const directory = temporaryDirectory();
  directories.push(directory);
  return directory.path;
}

/** What `npm run farm -- show` prints, of the farm that the stack says it has. */
async function shown(stack: Program): Promise<string> {
  const [, control = ''] = await stack.line(/the farm +FARM_CONTROL=(\S+) npm run farm -- show/);
  const printed: string[] = [];
  await giveOrder(control, 'show', [], (line) => printed.push(line));
  return printed.join('\n');
}

it('brings everything up, says what to try, and takes everything down', async () => {
  await using stack = await start();
  const [, docs = ''] = await stack.line(/documentation +(http:\S+)/);
  const [, health = ''] = await stack.line(/is it alive\? +curl (http:\S+)/);
  const [, sidecar = ''] = await stack.line(/the sidecar +curl (http:\S+)/);
  const [, page = ''] = await stack.line(/in your browser +(http:\S+)/);
  for (const url of [docs, health, sidecar, page]) expect((await fetch(url)).status).toBe(200);
  stack.kill('SIGTERM');
  expect(await stack.exited).toEqual({ code: 0, signal: null });
  for (const url of [docs, health, sidecar]) await expect(fetch(url)).rejects.toThrow();
});

it('makes no key where nobody could read it but in a log', async () => {
  await using stack = await start(['--key']);
  expect(await stack.exited).toEqual({ code: 1, signal: null });
  expect(stack.stderr).toEqual([expect.stringContaining('--key shows the key that it makes on a terminal')]);
});

describe('a stack that runs', () => {
  let stack: Program;
  beforeAll(async () => {
    stack = await start([], { FARM_PACE: '20' });
  });
  afterAll(async () => {
    stack.kill('SIGTERM');
    expect(await stack.exited).toEqual({ code: 0, signal: null });
  });

  it('opens a farm that takes orders', async () => {
    const [, control = ''] = await stack.line(/the farm +FARM_CONTROL=(\S+) npm run farm -- show/);
    await stack.line(/simulated farm .* is connected/);
    await using show = new Program('packages/simulated-game/src/give-order.ts', ['show'], {
      FARM_CONTROL: control,
    });
    await show.line(/Bridge +connected to the control API/);
    expect(await show.exited).toEqual({ code: 0, signal: null });
  });

  it(
    'gets the farm both invite codes, through the sidecar, says them, and people come by either',
    async () => {
      const [, health = ''] = await stack.line(/is it alive\? +curl (http:\S+)/);
      const [, platform, network] = await stack.line(/Players join by the invite code (S\w+) or (G\w+)/);
      const status = await (await fetch(new URL('/status', health))).json();
      expect(status).toMatchObject({ steamInviteCode: platform, gogInviteCode: network });
      for (const transport of [/ over SN_\d+_\d+/, / over GN_\d+/])
        await vi.waitFor(async () => expect(await shown(stack)).toMatch(transport), {
          timeout: codeWithinMs,
          interval: 500,
        });
    },
    2 * codeWithinMs,
  );

  it('brings the game’s files, which the sidecar downloads in a process of its own', async () => {
    const [, health = ''] = await stack.line(/the sidecar +curl (http:\S+)/);
    await stack.line(/^platform-auth +\| .*Game files: (whole|The process)/);
    const download = await (await fetch(new URL('/download', health))).json();
    expect(download).toMatchObject({ state: 'whole' });
  });

  it('prefixes each line with the process that wrote it', async () => {
    const [, api] = await stack.line(/^control-api +\| .*listening on (http:\/\/127\.0\.0\.1:\d+)/);
    const [, sidecar] = await stack.line(/^platform-auth +\| .*listening on (http:\/\/127\.0\.0\.1:\d+)/);
    expect(api).not.toBe(sidecar);
  });
});

it('keeps the farm between runs, and forgets it when told to', { timeout: 3 * stopsWithinMs }, async () => {
  const state = ['--state', ownDirectory()];
  const ports = { API_PORT: String(await freePort()) };
  const farmOf = async (...args: string[]): Promise<string> => {
    await using stack = await start([...state, ...args], ports);
    await stack.line(/simulated farm .* is connected/);
    const [farm = ''] = /\w+_\d{9}/.exec(await shown(stack)) ?? [];
    expect(farm).not.toBe('');
    stack.kill('SIGTERM');
    await stack.exited;
    return farm;
  };
  const first = await farmOf();
  expect(await farmOf()).toBe(first);
  expect(await farmOf('--fresh')).not.toBe(first);
});

it.each(['API_PORT', 'PORT'])(
  'says in one line that the port in %s is taken, and ends with 1',
  async (variable) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await using stack = await start([], { [variable]: String(port) });
    expect(await stack.exited).toMatchObject({ code: 1 });
    expect(stack.stderr).toEqual([expect.stringContaining(`steward: ${variable}: port ${port} is held`)]);
    other.close();
  },
);

it('stops the others and ends with 1 when one process ends', async () => {
  await using stack = await start();
  const [, pid = ''] = await stack.line(/^platform-auth .*"pid":(\d+)/);
  await stack.line(/Steward is up/);
  process.kill(Number(pid), 'SIGKILL');
  expect(await stack.exited).toMatchObject({ code: 1 });
  expect(stack.stdout.join('\n')).toContain('platform-auth ended');
});

it(
  'leaves nothing running when it is killed itself',
  async () => {
    await using stack = await start();
    const [, health = ''] = await stack.line(/is it alive\? +curl (http:\S+)/);
    stack.kill('SIGKILL');
    await stack.exited;
    await vi.waitFor(() => expect(fetch(health)).rejects.toThrow(), { timeout: stopsWithinMs });
  },
  2 * stopsWithinMs,
);

it('takes everything down when nobody reads its output any more', async () => {
  await using stack = await start();
  const [, health = ''] = await stack.line(/is it alive\? +curl (http:\S+)/);
  stack.stopReading('stdout');
  // The farm signs in and is asked for its codes: there are lines to come.
  expect(await stack.exited).toEqual({ code: 1, signal: null });
  await expect(fetch(health)).rejects.toThrow();
});

it('refuses an option that it does not have', async () => {
  await using stack = await start(['--frsh']);
  expect(await stack.exited).toMatchObject({ code: 2 });
  expect(stack.stderr).toEqual([expect.stringMatching(/^steward: .*--frsh.*--help/)]);
});
