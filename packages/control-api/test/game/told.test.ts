import type { Log } from '@steward/service-kit/log/logger';
import { type EventOf, eventData, type StewardEvent } from '@steward/shared/events/event-data';
import { withoutIdentities } from '@steward/shared/identities';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import type { GameBridge } from '../../src/game/game-bridge.ts';
import { processStarter } from '../../src/game/modes/game-process.ts';
import { ListenMode } from '../../src/game/modes/listen-mode.ts';
import { restartBackoff, SpawnMode, spawnLimits } from '../../src/game/modes/spawn-mode.ts';
import { bridgeLimits } from '../../src/game/state/limits.ts';
import { spawnMode } from './stage/process-stage.ts';
import { buildBridge, hello, openStage, quiet, settled } from './stage/stage.ts';

/** What is told of how the game stands, from now on. */
function told(bridge: Pick<GameBridge, 'events'>) {
  const events: { type: string; reason: string; remedy?: string }[] = [];
  let news = () => {};
  bridge.events.follow(({ event: { type, data } }) => {
    if (!type.startsWith('game.') || !('reason' in data)) return;
    const remedy = 'remedy' in data ? data.remedy : undefined;
    events.push({ type, reason: String(data.reason), ...(remedy === undefined ? {} : { remedy }) });
    news();
  });
  return {
    events,
    types: () => events.map(({ type }) => type),
    /** Resolves when so many events have been told in all. */
    async until(count: number): Promise<void> {
      while (events.length < count)
        await new Promise<void>((resolve) => {
          news = resolve;
        });
    },
  };
}

function spawned(
  command: readonly string[],
  { log = quiet, ...parts }: { readonly log?: Log; readonly marker?: string } = {},
) {
  const clock = new ManualClock();
  const mode = new SpawnMode({
    command,
    stopMs: 1,
    backoff: restartBackoff,
    random: () => 0,
    startProcess: processStarter(process.env),
    clock,
    retryClock: clock,
    log: quiet,
    ...parts,
  });
  const bridge = buildBridge({ mode, clock, log });
  return { clock, mode, bridge, ...told(bridge) };
}

describe('of a game that is started here', () => {
  it('each start is told once, and its crash once, with how its process ended', async () => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    const mode = spawnMode(clock, directory.path, processStarter(process.env));
    const bridge = buildBridge({ mode, clock });
    const { events, types, until } = told(bridge);
    await bridge.start();
    await until(2);
    process.kill(mode.pid ?? Number.NaN, 'SIGKILL');
    await until(3);
    clock.advance(restartBackoff.longestMs);
    await until(5);
    await bridge.stop();
    const life = ['game.starting', 'game.connected'];
    expect(types()).toEqual([...life, 'game.crashed', ...life, 'game.stopped']);
    expect(events[2]?.reason).toBe('the game has ended: it was ended by SIGKILL; it starts again in 1000 ms');
    expect(events[2]?.remedy).toMatch(/starts again by itself/);
  });

  it('its crash has what it printed last, also on its way out', async () => {
    const program = `console.error('Loading'); process.stdin.resume();
      process.stdout.write('no message\\n', () => { console.error('System.NullReferenceException'); process.exit(7); })`;
    const { bridge, mode, until } = spawned([process.execPath, '-e', program]);
    const crashed = new Promise<StewardEvent>((resolve) =>
      bridge.events.follow(({ event }) => event.type === 'game.crashed' && resolve(event)),
    );
    await bridge.start();
    await until(2);
    await bridge.stop();
    const { data } = (await crashed) as EventOf<'game.crashed'>;
    expect(data.lastLines?.toSorted()).toEqual(['Loading', 'System.NullReferenceException', 'no message']);
    expect(bridge.output).toEqual(mode.output.lines);
    expect(withoutIdentities(eventData['game.crashed'], data)).not.toHaveProperty('lastLines');
  });

  it.each([
    ['is not there', ['/nowhere/game']],
    // Node says of neither what it says of the first, but throws.
    ['lies below a file', [`${import.meta.filename}/game`]],
    ['has more to be told than there is room', [process.execPath, 'x'.repeat(16 * 1_024 ** 2)]],
  ])('one that %s is a crash with how to fix it', async (_what, command) => {
    const { bridge, events, until } = spawned(command);
    await bridge.start();
    await until(2);
    await bridge.stop();
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'game.starting' },
      {
        type: 'game.crashed',
        reason: expect.stringContaining('cannot be started'),
        remedy: expect.stringContaining('GAME_COMMAND'),
      },
    ]);
  });

  it('one that is given up is lost, with why, and its end is no crash', async () => {
    const { bridge, clock, events, until } = spawned([
      process.execPath,
      '-e',
      'process.stdin.resume(); setInterval(() => {}, 1000)',
    ]);
    await bridge.start();
    clock.advance(spawnLimits.helloMs);
    await until(2);
    await bridge.stop();
    expect(events.slice(1, 2)).toMatchObject([
      { type: 'game.lost', reason: expect.stringMatching(/^no hello within 120000 ms; .*SIGTERM/) },
    ]);
  });

  it('one that is refused is lost, with what is wrong with its hello', async () => {
    const params = { ...hello.params, farm: { farmId: 'Ферма_1', saveGeneration: 1 } };
    const line = JSON.stringify({ ...hello, params });
    const { bridge, events, until } = spawned([
      process.execPath,
      '-e',
      `process.stdin.resume(); setInterval(() => {}, 1000); console.log(${JSON.stringify(line)})`,
    ]);
    await bridge.start();
    await until(2);
    await bridge.stop();
    expect(events[1]).toMatchObject({
      type: 'game.lost',
      reason: expect.stringMatching(/^the game was refused: hello is malformed: farm\.farmId.*SIGTERM/),
    });
  });
});

describe('of a game that dials in', () => {
  it('it is told that there is none yet', async () => {
    using directory = temporaryDirectory();
    const address = { kind: 'unix', path: `${directory.path}/game.sock` } as const;
    const bridge = buildBridge({
      mode: new ListenMode({ address, secret: undefined, clock: new ManualClock(), log: quiet }),
    });
    const { events } = told(bridge);
    await bridge.start();
    await bridge.stop();
    expect(events).toMatchObject([
      {
        type: 'game.waiting',
        reason: 'no game has connected yet',
        remedy: expect.stringMatching(/its log/),
      },
      { type: 'game.stopped' },
    ]);
  });

  it('the end of its connection is a loss, with where to look, told before what comes of it', async () => {
    const { bridge, game } = await openStage();
    const { events } = told(bridge);
    const toldBefore: number[] = [];
    bridge.follow(() => toldBefore.push(events.length));
    game.cut();
    await settled();
    expect(toldBefore).toEqual([1]);
    expect(events).toEqual([
      {
        type: 'game.lost',
        reason: 'the game closed the connection',
        remedy: expect.stringMatching(/its log/),
      },
    ]);
  });
});

describe('of a game that ticks late', () => {
  async function ticking() {
    const stage = await openStage();
    let count = 0;
    return {
      ...stage,
      ...told(stage.bridge),
      async tick() {
        count += 1;
        stage.game.say({ jsonrpc: '2.0', method: 'tick', params: { count } });
        await settled();
      },
    };
  }

  it('it is slow, frozen, and recovered once it has ticked for a while', async () => {
    const { clock, tick, types, events } = await ticking();
    await tick();
    clock.advance(bridgeLimits.slowMs);
    clock.advance(bridgeLimits.frozenMs - bridgeLimits.slowMs);
    expect(types()).toEqual(['game.slow', 'game.frozen']);
    expect(events[1]?.remedy).toMatch(/restart it/);
    await tick();
    expect(types()).toHaveLength(2);
    for (let second = 0; second < bridgeLimits.steadyMs / 1_000; second += 1) {
      clock.advance(1_000);
      await tick();
    }
    expect(types().slice(2)).toEqual(['game.recovered']);
  });

  it('again and again, it is told once, whatever comes in between', async () => {
    const { clock, tick, types, game } = await ticking();
    await tick();
    for (let times = 0; times < 10; times += 1) {
      clock.advance(bridgeLimits.slowMs);
      if (times % 3 === 0) clock.advance(bridgeLimits.frozenMs - bridgeLimits.slowMs);
      await tick();
    }
    expect(types()).toEqual(['game.slow', 'game.frozen']);
    game.cut();
    await settled();
    clock.advance(bridgeLimits.steadyMs);
    expect(types()).toEqual(['game.slow', 'game.frozen', 'game.lost']);
  });

  it('what was slow on the connection before says nothing of the next one', async () => {
    const { clock, game, mode, types } = await ticking();
    clock.advance(bridgeLimits.slowMs);
    game.cut();
    await settled();
    mode.connect().say(hello);
    await settled();
    clock.advance(bridgeLimits.slowMs);
    expect(types()).toEqual(['game.slow', 'game.lost', 'game.connected', 'game.slow']);
  });
});

describe('in the log', () => {
  function logged() {
    const levels: string[] = [];
    const at = (level: string) => (_facts: object, text: string) => {
      const [, status] = /^game: (\w+):/.exec(text) ?? [];
      if (status !== undefined) levels.push(`${status}: ${level}`);
    };
    const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    return { levels, log };
  }

  it('a game that is frozen or lost is a warning, and what passes or is meant is none', async () => {
    const { levels, log } = logged();
    const { bridge, clock, game } = await openStage({ log });
    game.say({ jsonrpc: '2.0', method: 'tick', params: { count: 1 } });
    await settled();
    clock.advance(bridgeLimits.slowMs);
    clock.advance(bridgeLimits.frozenMs - bridgeLimits.slowMs);
    game.say({ jsonrpc: '2.0', method: 'tick', params: { count: 2 } });
    await settled();
    game.cut();
    await settled();
    await bridge.stop();
    expect(levels).toEqual(['slow: info', 'frozen: warn', 'live: info', 'gone: warn', 'stopped: info']);
  });

  it('a game that is waited for is a warning where there is more to do than to start it', async () => {
    using directory = temporaryDirectory();
    const { levels, log } = logged();
    const { bridge: starting } = spawned(['game'], { marker: `${directory.path}/marker`, log });
    await starting.start();
    await starting.stop();
    const address = { kind: 'unix', path: `${directory.path}/game.sock` } as const;
    const listening = buildBridge({
      mode: new ListenMode({ address, secret: undefined, clock: new ManualClock(), log: quiet }),
      log,
    });
    await listening.start();
    await listening.stop();
    expect(levels).toEqual(['waiting: warn', 'stopped: info', 'waiting: info', 'stopped: info']);
  });
});
