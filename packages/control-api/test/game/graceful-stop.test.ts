import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { processStarter } from '../../src/game/modes/game-process.ts';
import { SpawnMode, spawnLimits } from '../../src/game/modes/spawn-mode.ts';
import { spawnMode, stateThat, traced } from './stage/process-stage.ts';
import { buildBridge, hello, MemoryMode, quiet, settled } from './stage/stage.ts';

it('asks the game to save and lets it go by itself', async () => {
  using directory = temporaryDirectory();
  const clock = new ManualClock();
  const bridge = buildBridge({ mode: spawnMode(clock, directory.path, processStarter(process.env)), clock });
  await bridge.start();
  await stateThat(bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
  await bridge.run({ name: 'setTime', params: { value: 900 } });
  await bridge.stop();
  expect(bridge.state.link.status).toBe('stopped');
  const { applications, standing } = traced(directory.path);
  expect(standing.size).toBe(applications.length);
});

it('asks a game to save that stands still, too: it may be in a long save', async () => {
  const mode = Object.assign(new MemoryMode(), { stop: (askToStop: () => Promise<void>) => askToStop() });
  const clock = new ManualClock();
  const bridge = buildBridge({ mode, clock });
  await bridge.start();
  const game = mode.connect();
  game.say(hello);
  await settled();
  clock.advance(5_000);
  expect(bridge.state.link.status).toBe('frozen');
  game.heard();
  const stopped = bridge.stop();
  await settled();
  const [asked] = game.heard();
  expect(asked).toMatchObject({ method: 'save' });
  const refusal = { outcome: 'refused', code: 'busy', message: 'later' };
  game.say({ jsonrpc: '2.0', id: asked?.['id'], result: refusal });
  await stopped;
});

/** Programs that are no games, each deafer than the one before. */
const deaf = {
  'to the question': "process.stdin.resume(); process.stdin.on('end', () => process.exit(0))",
  'to the end of its input': 'setInterval(() => {}, 1000)',
  'to SIGTERM': "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)",
};

it.each(Object.entries(deaf))('ends a game that is deaf %s, and starts no other', async (_, program) => {
  const exits: string[] = [];
  const up = Promise.withResolvers<string>();
  const clock = new ManualClock();
  const mode = new SpawnMode({
    command: [process.execPath, '-e', `${program}; process.stderr.write('up\\n')`],
    stopMs: 10_000,
    backoff: { firstMs: 1, factor: 1, longestMs: 1, steadyMs: 1 },
    random: () => 0,
    startProcess: (command, events) => {
      const exited = (how: string) => {
        exits.push(how);
        events.exited(how);
      };
      return processStarter(process.env)(command, { exited, errorLine: up.resolve });
    },
    clock,
    retryClock: clock,
    log: quiet,
  });
  const bridge = buildBridge({ mode, clock });
  await bridge.start();
  expect(await up.promise).toBe('up');
  expect(mode.pid).toBeGreaterThan(0);
  const stopped = bridge.stop();
  clock.advance(10_000);
  clock.advance(spawnLimits.terminateMs);
  await stopped;
  expect(exits).toEqual([expect.stringMatching(/SIGTERM|SIGKILL|code 0/)]);
});
