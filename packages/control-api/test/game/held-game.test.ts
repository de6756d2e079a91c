import { PassThrough } from 'node:stream';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { processStarter } from '../../src/game/modes/game-process.ts';
import { SpawnMode } from '../../src/game/modes/spawn-mode.ts';
import { bridgeLimits } from '../../src/game/state/limits.ts';
import { ExistingStage } from './stage/existing-stage.ts';
import { gameCommand, stateThat } from './stage/process-stage.ts';
import { buildBridge, hello, MemoryMode, openStage, quiet, settled } from './stage/stage.ts';

const why = { reason: 'a backup is being restored', remedy: 'Nothing to do: it comes back by itself' };

function spawning(directory: string, command = gameCommand(directory)) {
  const clock = new ManualClock();
  const starts = vi.fn(processStarter(process.env));
  const mode = new SpawnMode({ ...spawnedAt(clock), command, startProcess: starts });
  return { clock, starts, mode, bridge: buildBridge({ mode, clock }) };
}

function spawnedAt(clock: ManualClock) {
  const backoff = { firstMs: 1_000, factor: 1, longestMs: 1_000, steadyMs: 60_000 };
  return { stopMs: 10_000, backoff, random: () => 0, clock, retryClock: clock, log: quiet };
}

it('is stopped and stays away, saying why, until it is given back', async () => {
  using directory = temporaryDirectory();
  const { bridge, clock, mode, starts } = spawning(directory.path);
  await bridge.start();
  await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
  const told: string[] = [];
  bridge.events.follow(({ event }) => told.push(event.type));
  await bridge.holdGame('restore', why);
  expect(mode.pid).toBeUndefined();
  expect(bridge.state.link).toMatchObject({ status: 'stopped', ...why });
  clock.advance(600_000);
  await settled();
  expect(starts).toHaveBeenCalledTimes(1);
  expect(await bridge.run({ name: 'setTime', params: { value: 900 } })).toMatchObject({
    kind: 'unavailable',
  });
  await bridge.holdGame('restore', { ...why, reason: 'it takes longer' });
  expect(bridge.state.link).toMatchObject({ status: 'stopped', reason: 'it takes longer' });
  bridge.giveGameBack('restore');
  await stateThat(bridge, ({ link }) => link.status === 'live');
  bridge.giveGameBack('restore');
  expect(starts).toHaveBeenCalledTimes(2);
  expect(told.filter((type) => type.startsWith('game.'))).toEqual([
    'game.stopped',
    'game.stopped',
    'game.starting',
    'game.connected',
  ]);
  await bridge.stop();
});

it.each(['stdout', 'stderr'])(
  'says in its last words, on %s, also a line that it did not end',
  async (stream) => {
    using directory = temporaryDirectory();
    const program = `process.${stream}.write('first\\nno more hens', () => process.exit(3))`;
    const { bridge } = spawning(directory.path, [process.execPath, '-e', program]);
    const told: StewardEvent[] = [];
    bridge.events.follow(({ event }) => told.push(event));
    await bridge.start();
    await stateThat(bridge, ({ link }) => link.status === 'restarting' && link.reason.includes('code 3'));
    const crashed = told.find(({ type }) => type === 'game.crashed');
    expect(crashed).toMatchObject({ data: { lastLines: ['first', 'no more hens'] } });
    await bridge.stop();
  },
);

it('may print JSON where it speaks, as some mods do, as often as it likes', async () => {
  using directory = temporaryDirectory();
  const prints = `for hens in $(seq ${2 * bridgeLimits.badLines}); do echo '{"hens":'$hens'}'; done; exec "$@"`;
  const command = ['sh', '-c', prints, 'sh', ...gameCommand(directory.path)];
  const { bridge, mode, starts } = spawning(directory.path, command);
  await bridge.start();
  await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
  expect(mode.output.lastWords.at(-1)).toBe(`{"hens":${2 * bridgeLimits.badLines}}`);
  expect(starts).toHaveBeenCalledTimes(1);
  await bridge.stop();
});

it('may print in another encoding where it speaks, as often as it likes', async () => {
  using directory = temporaryDirectory();
  const prints = `for hens in $(seq ${2 * bridgeLimits.badLines}); do printf 'Jos\\351 %s\\n' $hens; done; exec "$@"`;
  const command = ['sh', '-c', prints, 'sh', ...gameCommand(directory.path)];
  const { bridge, mode, starts } = spawning(directory.path, command);
  await bridge.start();
  await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
  expect(mode.output.lastWords.at(-1)).toBe(`Jos\ufffd ${2 * bridgeLimits.badLines}`);
  expect(starts).toHaveBeenCalledTimes(1);
  await bridge.stop();
});

it('is not started again by the pause after a crash, and is started at once when it is given back', async () => {
  using directory = temporaryDirectory();
  const { bridge, clock, starts } = spawning(directory.path, [process.execPath, '-e', 'process.exit(3)']);
  await bridge.start();
  await stateThat(bridge, ({ link }) => link.status === 'restarting' && link.reason.includes('code 3'));
  await bridge.holdGame('restore', why);
  clock.advance(10_000);
  await settled();
  expect(bridge.state.link).toMatchObject({ status: 'stopped', ...why });
  expect(starts).toHaveBeenCalledTimes(1);
  bridge.giveGameBack('restore');
  expect(starts).toHaveBeenCalledTimes(2);
  // One that cannot go on is told of as ever.
  await stateThat(bridge, ({ link }) => link.status === 'restarting' && link.reason.includes('code 3'));
  await bridge.stop();
});

it('stays away until everybody has given it back who holds it, and says why the other does', async () => {
  using directory = temporaryDirectory();
  const { bridge, starts } = spawning(directory.path);
  const drained = {
    reason: 'The server is stopping',
    remedy: 'Start the game again on the page, or with DELETE /drain',
  };
  await bridge.start();
  await stateThat(bridge, ({ link }) => link.status === 'live');
  await bridge.holdGame('drain', drained);
  await bridge.holdGame('restore', why);
  expect(bridge.state.link).toMatchObject({ status: 'stopped', ...why });
  expect(bridge.giveGameBack('restore')).toBe(false);
  expect(bridge.giveGameBack('restore')).toBe(false);
  await settled();
  expect(bridge.state.link).toMatchObject({ status: 'stopped', ...drained });
  expect(starts).toHaveBeenCalledTimes(1);
  expect(bridge.giveGameBack('drain')).toBe(true);
  await stateThat(bridge, ({ link }) => link.status === 'live');
  await bridge.stop();
});

it('that is given back before it was gone is started once it is, and is not said to be stopped then', async () => {
  using directory = temporaryDirectory();
  const { bridge, starts } = spawning(directory.path);
  await bridge.start();
  await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
  const said: string[] = [];
  bridge.follow(({ link }) => said.push(link.status));
  const held = bridge.holdGame('restore', why);
  expect(bridge.giveGameBack('restore')).toBe(true);
  await held;
  await stateThat(bridge, ({ link }) => link.status === 'live' && starts.mock.calls.length === 2);
  expect(said).not.toContain('stopped');
  await bridge.stop();
});

it('that is given back before it was gone is said to start after the end of what the one before said', async () => {
  const clock = new ManualClock();
  const runs: { readonly stdout: PassThrough; readonly exited: (how: string) => void }[] = [];
  const mode = new SpawnMode({
    ...spawnedAt(clock),
    command: ['game'],
    startProcess: (_, { exited }) => {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
      runs.push({ stdout, exited });
      return { pid: runs.length, stdin: stdin.resume(), stdout, stderr: stderr.resume(), kill: () => {} };
    },
  });
  const bridge = buildBridge({ mode, clock });
  await bridge.start();
  const [game] = runs;
  game?.stdout.write(`${JSON.stringify(hello)}\n`);
  await stateThat(bridge, ({ link }) => link.status === 'live');
  const told: string[] = [];
  bridge.events.follow(({ event }) => told.push(event.type));
  const held = bridge.holdGame('restore', why);
  bridge.giveGameBack('restore');
  game?.exited('it exited with code 0');
  await settled();
  game?.stdout.end();
  await held;
  await settled();
  expect(runs).toHaveLength(2);
  expect(bridge.state.link.status).toBe('starting');
  expect(told.filter((type) => type.startsWith('game.'))).toEqual(['game.starting']);
});

it('stays away when the service stops meanwhile, while it goes and after', async () => {
  using directory = temporaryDirectory();
  for (const isGone of [false, true]) {
    const { bridge, starts } = spawning(directory.path);
    await bridge.start();
    await stateThat(bridge, ({ link }) => link.status === 'live');
    const held = bridge.holdGame('restore', why);
    if (isGone) await held;
    await Promise.all([held, bridge.stop()]);
    bridge.giveGameBack('restore');
    await settled();
    expect(starts).toHaveBeenCalledTimes(1);
    expect(bridge.state.link.reason).toBe('the control API is stopping');
  }
});

it('is not started at all where it is held before the service starts', async () => {
  using directory = temporaryDirectory();
  const { bridge, starts } = spawning(directory.path);
  await bridge.holdGame('restore', why);
  await bridge.start();
  expect(starts).not.toHaveBeenCalled();
  bridge.giveGameBack('restore');
  await stateThat(bridge, ({ link }) => link.status === 'live');
  await bridge.stop();
});

it('that has dialled in is somebody else’s to stop; one that dials in meanwhile is told why it may not', async () => {
  const { bridge, mode, game } = await openStage();
  await expect(bridge.holdGame('restore', why)).rejects.toMatchObject({
    code: 'game-running',
    message: expect.stringMatching(/^Stage game 1\.0\.0 is connected.*stop it, try again/),
  });
  expect(bridge.state.link.status).toBe('live');
  game.cut();
  await settled();
  await bridge.holdGame('restore', why);
  const dial = async () => {
    const again = mode.connect();
    again.say(hello);
    await settled();
    return again.heard()[0];
  };
  const message = expect.stringMatching(
    /^No game can connect now: a backup is being restored; connect again/,
  );
  expect(await dial()).toMatchObject({ error: { code: -32003, message } });
  bridge.giveGameBack('restore');
  expect(bridge.state.link.status).toBe('waiting');
  expect(await dial()).toHaveProperty('result');
});

it('that dials in again and again while it may not is one warning, and one again after a game was let in', async () => {
  const refusals: string[] = [];
  const warn = (_facts: object, text: string) => {
    if (text.startsWith('a connection did not become a game')) refusals.push(text);
  };
  const { bridge, mode, game } = await openStage({ log: { ...quiet, warn } });
  const dial = async () => {
    const again = mode.connect();
    again.say(hello);
    await settled();
    return again;
  };
  let end = game;
  for (const warnings of [1, 2]) {
    end.cut();
    await settled();
    await bridge.holdGame('restore', why);
    for (let dials = 0; dials < 3; dials += 1) await dial();
    expect(refusals).toEqual(Array(warnings).fill(expect.stringContaining('a backup is being restored')));
    bridge.giveGameBack('restore');
    end = await dial();
    expect(bridge.state.link.status).toBe('live');
  }
});

it.each([
  { how: 'vanished with its machine is held', answers: false },
  { how: 'stands still and answers is somebody else’s to stop', answers: true },
])('that has dialled in over TCP and $how', async ({ answers }) => {
  const { bridge, clock, game } = await openStage({ canVanish: true });
  game.say({ jsonrpc: '2.0', method: 'tick', params: { count: 1 } });
  await settled();
  clock.advance(5_000);
  expect(bridge.state.link.status).toBe('frozen');
  const held = bridge.holdGame('restore', why).catch((error: unknown) => error);
  const [asked] = game.heard();
  const entries = [{ command: '0', state: 'absent' }];
  if (answers) game.say({ jsonrpc: '2.0', id: asked?.['id'], result: { entries } });
  await settled();
  clock.advance(5_000);
  const result = await held;
  await settled();
  expect(result).toEqual(answers ? expect.objectContaining({ code: 'game-running' }) : undefined);
  expect([game.closed, bridge.state.link.status]).toEqual(answers ? [false, 'frozen'] : [true, 'stopped']);
});

it('of an existing server is somebody else’s to stop for as long as that one answers', async () => {
  await using stage = new ExistingStage();
  const server = await stage.server();
  const { bridge, live, until } = await stage.bridgeTo(server.origin);
  const refused = { code: 'game-running', message: expect.stringMatching(/docker compose stop.*Kubernetes/) };
  await live();
  await expect(bridge.holdGame('restore', why)).rejects.toMatchObject(refused);
  // Of a bridge that has not looked yet, too.
  const other = await stage.bridgeTo(server.origin, 'another key');
  await expect(other.bridge.holdGame('restore', why)).rejects.toMatchObject(refused);
  await stage.close(server);
  await until(({ link }) => link.status === 'gone');
  await bridge.holdGame('restore', why);
  bridge.giveGameBack('restore');
  expect(bridge.startsGame).toBe(false);
});

it('is asked of nobody by a mode that has no game of its own', () => {
  expect(buildBridge({ mode: new MemoryMode() }).startsGame).toBe(false);
});
