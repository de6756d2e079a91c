import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { giveOrder } from '@steward/simulated-game/control/order-line';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { StackProgram } from '@steward/testing/stack-program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// The control API lets a game that has only just begun finish its start and its save before it stops it.
const stopsWithinMs = 60_000;

// A person of the demo's comes within twenty seconds of the farm's time, and begins with going home and trying again.
const codeWithinMs = 50_000;

/** A stack that shares nothing with any other, a person's own least of all. */
class RunningStack extends StackProgram {
  readonly api: string;
  readonly sidecar: string;
  readonly control: string;

  constructor(args: readonly string[], environment: Record<string, string>, state: string) {
    super(state, environment, args);
    this.api = `http://127.0.0.1:${environment['API_PORT']}`;
    this.sidecar = `http://127.0.0.1:${environment['PORT']}`;
    this.control = join(state, environment['API_PORT'] ?? '', 'farm', 'control.sock');
  }

  /** Everything answers, the page too. */
  async isUp(): Promise<string> {
    const [, page = ''] = await this.line(/^ {2}(http:\S+\/)$/);
    return page;
  }
}

async function start(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
  state = ownDirectory(),
): Promise<RunningStack> {
  const [API_PORT = '', PORT = '', DASHBOARD_PORT = ''] = await Promise.all(
    Array.from({ length: 3 }, async () => String(await freePort())),
  );
  return new RunningStack(args, { API_PORT, PORT, DASHBOARD_PORT, ...environment }, state);
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

/** Where it is not about the game's files: half a second of the processor to download. */
const noDownload = { PLATFORM_DOWNLOAD: 'off' } as const;

/** What `npm run farm -- show` prints. */
async function shown({ control }: RunningStack): Promise<string> {
  const printed: string[] = [];
  await giveOrder(control, 'show', [], (line) => printed.push(line));
  return printed.join('\n');
}

it('starts nothing in a folder whose path is too long for the farm’s socket, and says where else', async () => {
  const state = join(ownDirectory(), 'Ферма'.repeat(10));
  await using stack = await start([], {}, state);
  expect(await stack.exited).toEqual({ code: 1, signal: null });
  expect(stack.stderr).toEqual([
    expect.stringMatching(/^steward: .*Ферма\/.* too long .*npm start -- --state <directory>$/),
  ]);
  expect(existsSync(state)).toBe(false);
});

it('ends with 0, and complains of nothing, when it is stopped before its first member answers', async () => {
  // Each process says when it begins; the emulator takes much longer to load its code, and to answer.
  const says = encodeURIComponent('process.stderr.write("begun\\n")');
  await using stack = await start([], { NODE_OPTIONS: `--import=data:text/javascript,${says}` });
  await stack.line(/ platform +\| begun$/);
  stack.kill('SIGTERM');
  expect(await stack.exited).toEqual({ code: 0, signal: null });
  expect(stack.stderr.filter((line) => line !== 'begun')).toEqual([]);
  expect(stack.stdout.join('\n')).toContain('SIGTERM: stopping in order');
});

it('says what keeps a farm from ever starting, takes everything down, and ends with 1', async () => {
  await using stack = await start([], { ...noDownload, FARM_PACE: 'hasty' });
  expect(await stack.exited).toEqual({ code: 1, signal: null });
  expect(stack.stderr.at(-1)).toMatch(/^steward: the farm cannot start.*FARM_PACE.*hasty/);
  await expect(fetch(`${stack.api}/health`)).rejects.toThrow();
});

it('makes no key where nobody could read it but in a log', async () => {
  await using stack = await start(['--key']);
  expect(await stack.exited).toEqual({ code: 1, signal: null });
  expect(stack.stderr).toEqual([expect.stringContaining('--key shows its key only in a terminal')]);
});

describe('a stack that runs', () => {
  const key = 'k3y';
  const withKey = { headers: { authorization: `Bearer ${key}` } };
  let stack: RunningStack;
  beforeAll(async () => {
    const directory = temporaryDirectory();
    directories.push(directory);
    writeFileSync(join(directory.path, 'key'), `${key}\n`);
    stack = await start([], { FARM_PACE: '20', API_KEY_FILE: join(directory.path, 'key') });
  });
  afterAll(async () => {
    stack.kill('SIGTERM');
    expect(await stack.exited).toEqual({ code: 0, signal: null });
  });

  it('opens a farm that takes orders', async () => {
    await stack.line(/simulated farm .* is connected/);
    await using show = new Program('packages/simulated-game/src/give-order.ts', ['show'], {
      FARM_CONTROL: stack.control,
    });
    await show.line(/Bridge +connected to the control API/);
    expect(await show.exited).toEqual({ code: 0, signal: null });
  });

  it(
    'gets the farm both invite codes, through the sidecar, says them, and people come by either',
    async () => {
      const [, platform, network] = await stack.line(/^Players join with the code (S\w+) or (G\w+)/);
      const status = await (await fetch(`${stack.api}/status`, withKey)).json();
      expect(status).toMatchObject({ steamInviteCode: platform, gogInviteCode: network });
      for (const transport of [/ over SN_\d+_\d+/, / over GN_\d+/])
        await vi.waitFor(async () => expect(await shown(stack)).toMatch(transport), {
          timeout: codeWithinMs,
          interval: 500,
        });
    },
    2 * codeWithinMs,
  );

  it('says what to try: every address answers whoever has the key, and the farm is where it says', async () => {
    await stack.line(/^Ctrl-C stops everything/);
    const told = stack.stdout.flatMap((line) => /^ {2}.*?(http:[^\s"]+)/.exec(line)?.[1] ?? []);
    const api = ['/status', '/players', '/events/stream', '/docs'].map((path) => `${stack.api}${path}`);
    expect(told).toEqual([await stack.isUp(), ...api, `${stack.sidecar}/health`]);
    for (const url of told) {
      const answer = await fetch(url, withKey);
      await answer.body?.cancel();
      expect({ url, status: answer.status }).toEqual({ url, status: 200 });
    }
    expect(stack.stdout).toContain(`  curl ${stack.api}/status -H "Authorization: Bearer $API_KEY"`);
    expect(stack.stdout).toContain(`  FARM_CONTROL=${stack.control} npm run farm -- show`);
  });

  it('says where the data of a farm on the port in API_PORT is, and not that another port is taken', async () => {
    await stack.isUp();
    const { port } = new URL(stack.api);
    const kept = dirname(dirname(stack.control));
    expect(stack.stdout).toContain(`This farm runs on port ${port} and its data is in ${kept}`);
    expect(stack.stdout.join('\n')).not.toContain('Port 8080 is taken');
  });

  it('brings the game’s files, which the sidecar downloads in a process of its own', async () => {
    await stack.line(/ platform-auth +\| Game files: (complete|The process)/);
    const download = await (await fetch(`${stack.sidecar}/download`)).json();
    expect(download).toMatchObject({ state: 'whole' });
  });

  it('shows lines for people in a file too, each with the process that wrote it', async () => {
    for (const name of ['control-api', 'platform-auth'])
      await stack.line(
        new RegExp(`^\\d\\d:\\d\\d:\\d\\d ${name} +\\| listening on http://127\\.0\\.0\\.1:\\d+$`),
      );
    await stack.line(/^\d\d:\d\d:\d\d farm +\| connected to the control API$/);
    expect(stack.stdout.filter((line) => line.includes('{"'))).toEqual([]);
  });

  it('leaves out of the log what it asks itself, and its services each other, and shows what others ask', async () => {
    await stack.line(/^Players join/);
    await fetch(`${stack.api}/players`, withKey);
    await stack.line(/control-api +\| GET \/players 200$/);
    // It asks until then; the tests beside this one ask afterwards.
    const meanwhile = stack.stdout.slice(
      0,
      stack.stdout.findIndex((line) => line.startsWith('Players join')),
    );
    expect(meanwhile).not.toEqual([]);
    expect(meanwhile.filter((line) => /GET \/(status|health|download)| \/platform\//.test(line))).toEqual([]);
  });
});

async function farmOf(stack: RunningStack): Promise<string> {
  await stack.line(/simulated farm .* is connected/);
  const [farm = ''] = /\w+_\d{9}/.exec(await shown(stack)) ?? [];
  expect(farm).not.toBe('');
  return farm;
}

it('keeps the farm over runs that end in three ways, with everything down after each, and forgets it, and nothing else, when told to', {
  timeout: 4 * stopsWithinMs,
}, async () => {
  const state = ownDirectory();
  const ports = { API_PORT: String(await freePort()) };
  const kept = join(state, ports.API_PORT);
  let farm: string;
  {
    await using stack = await start([], ports, state);
    const page = await stack.isUp();
    const urls = [page, `${stack.api}/docs`, `${stack.api}/health`, `${stack.sidecar}/health`];
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    farm = await farmOf(stack);
    stack.kill('SIGTERM');
    expect(await stack.exited).toEqual({ code: 0, signal: null });
    for (const url of urls) await expect(fetch(url)).rejects.toThrow();
  }
  {
    await using stack = await start([], { ...ports, LOG_FORMAT: 'json' }, state);
    const [, pid = ''] = await stack.line(/^platform-auth .*"pid":(\d+)/);
    await stack.isUp();
    expect(await farmOf(stack)).toBe(farm);
    process.kill(Number(pid), 'SIGKILL');
    expect(await stack.exited).toMatchObject({ code: 1 });
    expect(stack.stdout.join('\n')).toContain('platform-auth ended');
  }
  const written = readdirSync(kept);
  expect(written.length).toBeGreaterThan(3);
  for (const folder of written.filter((name) => statSync(join(kept, name)).isDirectory()))
    writeFileSync(join(kept, folder, 'of-earlier'), '');
  writeFileSync(join(kept, 'notes.txt'), 'mine');
  mkdirSync(join(kept, '8081', 'farm'), { recursive: true });
  {
    await using stack = await start(['--fresh'], { ...noDownload, ...ports }, state);
    await stack.isUp();
    expect(await farmOf(stack)).not.toBe(farm);
    expect(globSync('*/of-earlier', { cwd: kept })).toEqual([]);
    expect(readdirSync(kept)).toEqual(expect.arrayContaining(['notes.txt', '8081']));
    expect(readdirSync(join(kept, '8081'))).toEqual(['farm']);
    // Nobody reads its output any more; the farm signs in and is asked for its codes, so there are lines to come.
    stack.stopReading('stdout');
    expect(await stack.exited).toEqual({ code: 1, signal: null });
    await expect(fetch(`${stack.api}/health`)).rejects.toThrow();
  }
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

it('says in one line that two variables set the same port, and ends with 1', async () => {
  const port = String(await freePort());
  await using stack = await start([], { API_PORT: port, DASHBOARD_PORT: port });
  expect(await stack.exited).toMatchObject({ code: 1 });
  expect(stack.stderr).toEqual([
    `steward: DASHBOARD_PORT: port ${port} is set for API_PORT, too; choose another port`,
  ]);
});

it(
  'leaves nothing running when it is killed itself',
  async () => {
    await using stack = await start();
    await stack.isUp();
    stack.kill('SIGKILL');
    await stack.exited;
    await vi.waitFor(() => expect(fetch(`${stack.api}/health`)).rejects.toThrow(), {
      timeout: stopsWithinMs,
    });
  },
  2 * stopsWithinMs,
);

it('refuses an option that it does not have', async () => {
  await using stack = await start(['--frsh']);
  expect(await stack.exited).toMatchObject({ code: 2 });
  expect(stack.stderr).toEqual([expect.stringMatching(/^steward: .*--frsh.*--help/)]);
});
