import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { readyLine } from '@steward/service-kit/log/ready-line';
import { diskLibrary } from '@steward/testing/disk-library';
import { freePort } from '@steward/testing/free-port';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { socketsAfterSigusr1 } from '@steward/testing/inspector';
import { inherited, Program, programFile, scriptedGame } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, expect, it, vi } from 'vitest';

const entry = 'packages/control-api/src/main.ts';
const state = temporaryDirectory();
afterAll(() => state[Symbol.dispose]());

const spawnedGame = {
  GAME_BRIDGE: 'spawn',
  GAME_MARKER: '',
  GAME_COMMAND: JSON.stringify([process.execPath, scriptedGame]),
};
const gamePid = /gamePid"?:\s?(\d+)/;

let started = 0;

/** A state directory for each, as two processes would not share a game; and no sidecar to look for. */
function ownState(): Record<'STATE_DIR' | 'SETTINGS_PATH' | 'PLATFORM_AUTH_URL', string> {
  started += 1;
  const place = join(state.path, String(started));
  return { STATE_DIR: place, SETTINGS_PATH: join(place, 'server-settings.json'), PLATFORM_AUTH_URL: '' };
}

function onLoopback() {
  return { API_HOST: '127.0.0.1', API_PORT: '0', ...ownState() };
}

it.each([
  ['SIGINT', { LOG_FORMAT: 'json' }],
  ['SIGTERM', { LOG_FORMAT: 'pretty', LOG_LEVEL: 'error' }],
] as const)('says once on stdout that it is ready, and stops cleanly on %s', async (signal, log) => {
  const port = await freePort();
  await using api = new Program(entry, [], { ...onLoopback(), API_PORT: String(port), ...log });
  await api.line(new RegExp(readyLine));
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  api.kill(signal);
  expect(await api.exited).toEqual({ code: 0, signal: null });
  expect(api.stdout.filter((line) => line.includes(readyLine))).toHaveLength(1);
});

it.each(['json', 'pretty'])(
  'stops its game and itself in order when the reader of its log is gone: %s',
  async (LOG_FORMAT) => {
    await using api = new Program(entry, [], { ...onLoopback(), ...spawnedGame, LOG_FORMAT });
    const [, pid = ''] = await api.line(gamePid);
    await api.line(/is connected/);
    const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
    api.stopReading('stdout');
    // One of these is the line that cannot be written.
    const asked = ['/nothing', '/status', '/players'].map((path) =>
      fetch(`${origin}${path}`).catch(() => {}),
    );
    expect(await api.exited).toEqual({ code: 1, signal: null });
    await Promise.all(asked);
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    expect(api.stderr).toEqual([]);
  },
);

it('stops cleanly on a Ctrl-C that ends the reader of its log, too', async () => {
  await using api = new Program(entry, [], { ...onLoopback(), ...spawnedGame });
  await api.line(/is connected/);
  api.stopReading('stdout');
  api.kill('SIGINT');
  expect(await api.exited).toEqual({ code: 0, signal: null });
});

it('refuses to run beside another on one STATE_DIR, and says which process that is', async () => {
  const place = onLoopback();
  await using first = new Program(entry, [], place);
  const [, pid = ''] = await first.line(/"pid":(\d+).*listening on/);
  await using second = new Program(entry, [], place);
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.stderr).toEqual([
    expect.stringMatching(
      new RegExp(
        `^control-api: STATE_DIR: \\S+ is in use by \`control-api serve\` on \\S+ \\(process ${pid}\\), since \\S+: stop that one`,
      ),
    ),
  ]);
  first.kill('SIGKILL');
  await first.exited;
  await using third = new Program(entry, [], place);
  await third.line(/listening on/);
});

it('leaves its log where it was when it cannot start, so that nobody is told of a gap', async () => {
  const place = onLoopback();
  const told = () => Number(readFileSync(join(place.STATE_DIR, 'steward.cursor'), 'utf8').split('-')[1]);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  {
    await using api = new Program(entry, [], place);
    await api.line(/listening on/);
    api.kill('SIGTERM');
    await api.exited;
  }
  for (const busy of [
    { GAME_BRIDGE_LISTEN: `tcp:127.0.0.1:${port}`, GAME_BRIDGE_SECRET: 's3cret' },
    { API_PORT: String(port) },
  ]) {
    await using api = new Program(entry, [], { ...place, ...busy });
    expect(await api.exited).toEqual({ code: 1, signal: null });
    // What a process sets aside and cannot give back is tens of thousands.
    expect(told()).toBeLessThan(100);
  }
  taken.close();
});

it('lives on while the disk of its log is full', async () => {
  const port = String(await freePort());
  const full = openSync('/dev/full', 'w');
  const api = spawn(process.execPath, [programFile(entry)], {
    env: { ...inherited(), ...onLoopback(), API_PORT: port },
    stdio: ['ignore', full, full],
  });
  const exited = once(api, 'exit');
  const health = `http://127.0.0.1:${port}/health`;
  await vi.waitFor(async () => expect((await fetch(health)).status).toBe(200), { timeout: 30_000 });
  expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
  expect((await fetch(health)).status).toBe(200);
  api.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  closeSync(full);
});

it.runIf(process.platform === 'linux').each([['--version'], ['keys create --name a --scopes read']])(
  'fails where what %s answers finds no room',
  (command) => {
    const place = onLoopback();
    mkdirSync(place.STATE_DIR);
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [programFile(entry), ...command.split(' ')], {
      env: { ...inherited(), ...place, API_PORT: '1', API_KEY: 'the-owner' },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/standard output is not complete/)]);
  },
);

it.runIf(process.platform === 'linux')(
  'fails where there is room for a part of what a command answers',
  () => {
    using directory = temporaryDirectory();
    // One block of 512 or 1024 bytes, by the shell.
    const script = `ulimit -f 1; exec "$0" "$1" --help > "${join(directory.path, 'help')}"`;
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, programFile(entry)], {
      env: inherited(),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/standard output is not complete/)]);
  },
);

it.runIf(process.platform === 'linux')(
  'starts and lives on while the quota of its log and its state is used up',
  async () => {
    using directory = temporaryDirectory();
    const port = String(await freePort());
    const quota = join(directory.path, 'used-up');
    writeFileSync(quota, '');
    const log = openSync(join(directory.path, 'log'), 'w');
    const api = spawn(process.execPath, [programFile(entry)], {
      env: {
        ...inherited(),
        ...onLoopback(),
        ...diskLibrary(directory.path),
        API_PORT: port,
        OVER_QUOTA_WHILE: quota,
      },
      stdio: ['ignore', log, log],
    });
    const exited = once(api, 'exit');
    const health = `http://127.0.0.1:${port}/health`;
    await vi.waitFor(async () => expect((await fetch(health)).status).toBe(200), { timeout: 30_000 });
    rmSync(quota);
    expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
    const written = () => readFileSync(join(directory.path, 'log'), 'utf8');
    await vi.waitFor(() => expect(written()).toContain('/nothing'), { timeout: 10_000 });
    api.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    closeSync(log);
  },
);

it('opens no inspector on SIGUSR1, and lives on', async () => {
  await using api = new Program(entry, [], onLoopback());
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  expect(await socketsAfterSigusr1(api.pid)).toBe(0);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
});

/** A game that dials in, and keeps each command until it is told what to answer. */
async function holdingGame(stateDirectory: string): Promise<ScriptedGame> {
  const game = new ScriptedGame({ tickMs: 250 });
  game.mood = 'claims-and-is-silent';
  await game.connect(overSocket(connect(join(stateDirectory, 'game.sock'))));
  return game;
}

it('finishes the request in flight when it is told to stop, and waits for no slow client', async () => {
  const place = onLoopback();
  await using api = new Program(entry, [], place);
  const [, port = ''] = await api.line(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
  const game = await holdingGame(place.STATE_DIR);
  const slow = ['', 'GET /health HTTP/1.1\r\n', 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n'].map((sent) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket
      .on('error', () => {})
      .resume()
      .write(sent);
    return once(socket, 'close');
  });
  const inFlight = fetch(`http://127.0.0.1:${port}/time?value=700`, { method: 'POST' });
  await vi.waitFor(() => expect(game.held).toHaveLength(1), { timeout: 20_000 });
  api.kill('SIGTERM');
  await api.line(/SIGTERM: stopping/);
  game.held[0]?.({ code: 'busy', message: 'a day ends' });
  expect((await inFlight).status).toBe(503);
  expect(await api.exited).toEqual({ code: 0, signal: null });
  await Promise.all(slow);
});

it('leaves at once on the second signal, whatever is still to be answered', async () => {
  const place = onLoopback();
  await using api = new Program(entry, [], place);
  const [, port = ''] = await api.line(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
  const game = await holdingGame(place.STATE_DIR);
  const inFlight = fetch(`http://127.0.0.1:${port}/time?value=700`, { method: 'POST' }).catch(
    () => 'cut off',
  );
  await vi.waitFor(() => expect(game.held).toHaveLength(1), { timeout: 20_000 });
  api.kill('SIGTERM');
  await api.line(/SIGTERM: stopping/);
  const impatience = setInterval(() => api.kill('SIGTERM'), 50);
  expect(await api.exited).toEqual({ code: 1, signal: null });
  clearInterval(impatience);
  expect(await inFlight).toBe('cut off');
});

it('says what is wrong with its environment, a line each, and ends with 1', async () => {
  await using api = new Program(entry, [], { API_PORT: 'http', API_ENABLED: 'perhaps', LOG_LEVEL: 'loud' });
  expect(await api.exited).toMatchObject({ code: 1 });
  expect(api.stderr).toHaveLength(3);
  expect(api.stderr[0]).toBe('control-api: API_ENABLED is "perhaps": it must be true or false');
});

it('says in one line that its port is taken, and ends with 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await using api = new Program(entry, [], { API_HOST: '127.0.0.1', API_PORT: String(port), ...ownState() });
  expect(await api.exited).toMatchObject({ code: 1 });
  expect(api.stderr).toEqual([expect.stringContaining('another program uses it')]);
  other.close();
});

it.each(['API_PORT', 'DASHBOARD_PORT'])('leaves no game behind when its %s is taken', async (name) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const place = ownState();
  // Deaf to everything but a signal, as a wrapper may be.
  const command = ['sh', '-c', 'exec sleep 600'];
  await using api = new Program(entry, [], {
    ...onLoopback(),
    [name]: String(port),
    ...place,
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_STOP_TIMEOUT: '1',
    GAME_COMMAND: JSON.stringify(command),
  });
  const [, pid] = await api.line(/"gamePid":(\d+),"msg":"the game was started"/);
  expect(await api.exited).toMatchObject({ code: 1 });
  expect(api.stderr).toEqual([expect.stringContaining(name)]);
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  other.close();
});

it('warns loudly when everybody may control it, and not when it has a key or only this machine can reach it', async () => {
  const onlyThePage = { ...onLoopback(), DASHBOARD_HOST: '0.0.0.0', DASHBOARD_PORT: '0' };
  for (const environment of [{ API_PORT: '0', ...ownState() }, onlyThePage]) {
    await using open = new Program(entry, [], environment);
    await open.line(/API_KEY is not set.*openssl rand -base64 32/);
  }
  for (const environment of [onLoopback(), { API_PORT: '0', API_KEY: 'k', ...ownState() }]) {
    await using closed = new Program(entry, [], environment);
    await closed.line(/listening on/);
    closed.kill('SIGTERM');
    await closed.exited;
    expect(closed.stdout.join('\n')).not.toContain('API_KEY is not set');
  }
});

it('lives on without a listener when API_ENABLED is false, says so, and is healthy', async () => {
  await using api = new Program(entry, [], { ...onLoopback(), API_ENABLED: 'false' });
  await api.line(/the API does not listen/);
  await api.line(new RegExp(readyLine));
  await using check = new Program(entry, ['healthcheck'], { API_ENABLED: 'false' });
  expect(await check.exited).toMatchObject({ code: 0 });
  expect(api.running).toBe(true);
  api.kill('SIGTERM');
  expect(await api.exited).toEqual({ code: 0, signal: null });
});

it('is checked by its own command', async () => {
  await using api = new Program(entry, [], onLoopback());
  const [, port = ''] = await api.line(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await using healthy = new Program(entry, ['healthcheck'], { API_HOST: '127.0.0.1', API_PORT: port });
  expect(await healthy.exited).toMatchObject({ code: 0 });
  api.kill('SIGTERM');
  await api.exited;
  await using unhealthy = new Program(entry, ['healthcheck'], { API_HOST: '127.0.0.1', API_PORT: port });
  expect(await unhealthy.exited).toMatchObject({ code: 1 });
  expect(unhealthy.stderr).toEqual([expect.stringContaining('does not answer')]);
});

it('explains itself', async () => {
  await using help = new Program(entry, ['--help']);
  expect(await help.exited).toMatchObject({ code: 0 });
  expect(help.stdout.join('\n')).toContain('API_KEY_FILE');
});

it.each([
  [{ GAME_BRIDGE: 'spawn' }, /^control-api: GAME_COMMAND is not set/],
  [{ GAME_BRIDGE_LISTEN: 'tcp:127.0.0.1:0' }, /^control-api: GAME_BRIDGE_SECRET is not set/],
  [{ GAME_BRIDGE_LISTEN: 'here' }, /^control-api: GAME_BRIDGE_LISTEN "here" is neither/],
  [{ STATE_DIR: '/dev/null/state' }, /^control-api: STATE_DIR: \/dev\/null\/state cannot be used/],
])('says in one line what the game bridge lacks: %o', async (environment, line) => {
  await using api = new Program(entry, [], { ...onLoopback(), ...environment });
  expect(await api.exited).toMatchObject({ code: 1 });
  expect(api.stderr).toEqual([expect.stringMatching(line)]);
});

it('starts its game, shows it, and stops it with itself', async () => {
  await using api = new Program(entry, [], { ...onLoopback(), ...spawnedGame });
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  await api.line(/Scripted game 1\.0\.0 is connected/);
  // It is connected before it has told its first tick.
  await vi.waitFor(async () => {
    const health = await (await fetch(`${origin}/health`)).json();
    expect(health).toMatchObject({ status: 'ok', game: { status: 'live' } });
  });
  const [, pid = ''] = await api.line(gamePid);
  api.kill('SIGTERM');
  expect(await api.exited).toEqual({ code: 0, signal: null });
  await api.line(/the game has ended: it exited with code 0/);
  expect(() => process.kill(Number(pid), 0)).toThrow();
});

it('does not start its game before the files of it are whole, where nobody has set anything else', async () => {
  const environment = { GAME_BRIDGE: 'spawn', GAME_COMMAND: JSON.stringify(['/no/such/game']) };
  await using api = new Program(entry, [], { ...onLoopback(), ...environment });
  await api.line(
    /starts when its files are complete: \/data\/game\/\.download-manifest-413150 does not exist yet/,
  );
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const ready = await fetch(`${origin}/health/ready`);
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('does not exist yet')]);
});

it('says where there is no sidecar', async () => {
  await using api = new Program(entry, [], onLoopback());
  await api.line(/PLATFORM_AUTH_URL is empty: without a sidecar there are no invite codes/);
  const [, origin = ''] = await api.line(/listening on (http:\S+?)["\s]/);
  const { inviteWay } = (await (await fetch(`${origin}/status`)).json()) as {
    inviteWay: { state: string }[];
  };
  expect(new Set(inviteWay.map(({ state }) => state))).toEqual(new Set(['off']));
});
