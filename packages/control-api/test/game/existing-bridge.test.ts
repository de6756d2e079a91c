import { EventEmitter, once } from 'node:events';
import { ExistingServer, type ExistingServerOptions } from '@steward/existing-server-double/existing-server';
import type { BackoffSettings } from '@steward/service-kit/clock';
import { afterEach, describe, expect, it } from 'vitest';
import { ExistingGameBridge } from '../../src/game/existing/existing-game-bridge.ts';
import type { ExistingLimits } from '../../src/game/existing/existing-limits.ts';
import type { BridgeEvent } from '../../src/game/game-bridge.ts';
import type { CommandResult } from '../../src/game/operations/operation.ts';
import type { BridgeState } from '../../src/game/state/bridge-state.ts';
import { existingParts } from './stage/existing-parts.ts';
import { quiet } from './stage/stage.ts';

/** As that server's, in tenths, and in the same order. */
const fast = { writeMs: 400, chatDropMs: 500, chatMarginMs: 50 };

let open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.reverse()) await each[Symbol.asyncDispose]();
  open = [];
});

async function server(options: ExistingServerOptions = {}): Promise<ExistingServer> {
  const started = await ExistingServer.start({ key: 'k', snapshotMs: 10, ...options });
  open.push(started);
  return started;
}

/** What has no long-poll is not looked at in its turn. */
const noTurns = { slowReadMs: 3_600_000 };

async function bridgeTo(
  origin: string,
  key = 'k',
  backoff: Partial<BackoffSettings> = {},
  limits: Partial<ExistingLimits> = {},
) {
  const warnings = new EventEmitter<{ warning: [string] }>();
  const log = { ...quiet, warn: (_facts: object, text: string) => void warnings.emit('warning', text) };
  const parts = { ...existingParts(origin, key), log };
  const bridge = new ExistingGameBridge({
    ...parts,
    existingLimits: { ...parts.existingLimits, ...fast, ...limits },
    backoff: { ...parts.backoff, ...backoff },
  });
  await bridge.start();
  open.push({ [Symbol.asyncDispose]: () => bridge.stop() });
  const until = (wanted: (state: BridgeState) => boolean): Promise<BridgeState> => {
    const { promise, resolve } = Promise.withResolvers<BridgeState>();
    const end = bridge.follow((state) => wanted(state) && resolve(state));
    if (wanted(bridge.state)) resolve(bridge.state);
    return promise.finally(end);
  };
  const event = (wanted: (event: BridgeEvent) => boolean): Promise<BridgeEvent> => {
    const { promise, resolve } = Promise.withResolvers<BridgeEvent>();
    const end = bridge.events.follow((logged) => wanted(logged.event) && resolve(logged.event));
    return promise.finally(end);
  };
  return { bridge, until, event, warnings, live: () => until(({ link }) => link.status === 'live') };
}

function operationOf(result: CommandResult) {
  if (result.kind !== 'operation') throw new Error(`it is ${JSON.stringify(result)}`);
  return result.operation;
}

describe('what the existing server shows', () => {
  it('arrives whole, with every digit of an id', async () => {
    const { farm, origin } = await server();
    farm.networkCode = 'ABC';
    farm.customize(farm.join(), 'Ann');
    farm.publish();
    const { live, until } = await bridgeTo(origin);
    await live();
    const { sections, isWhole } = await until(({ version }) => version > 0);
    expect(isWhole).toBe(true);
    expect(sections.players).toEqual([
      { id: '620826087702429092', name: 'Ann', connectionId: '', isAdmin: false },
    ]);
    expect(sections.farmhands?.map(({ id, isOnline }) => [id, isOnline])).toEqual([
      ['620826087702429092', true],
      ['620826087702429093', false],
    ]);
  });

  it('is next to nothing while it has no world, and comes with the world', async () => {
    const { farm, origin } = await server();
    Object.assign(farm, { isLoaded: false, networkCode: 'ABC' });
    farm.publish();
    const { until } = await bridgeTo(origin);
    await until(({ isWhole, sections }) => isWhole && sections.status?.isOnline === false);
    farm.isLoaded = true;
    await until(({ sections, selfHosted }) => {
      const isThere = sections.status?.isOnline === true && sections.farmhands?.length === 1;
      return isThere && sections.cabins?.cabins.length === 1 && selfHosted?.codes.network === 'GABC';
    });
  });

  it('follows what changes, and is not told of versions in which nothing did', async () => {
    const { farm, origin } = await server();
    const { bridge, live, until, event } = await bridgeTo(origin);
    await live();
    const joined = event(({ kind }) => kind === 'playerJoined');
    const ann = farm.join();
    await until(({ sections }) => sections.status?.playerCount === 1);
    expect(await joined).toMatchObject({ playerId: String(ann.id), playerName: '' });
    farm.customize(ann, 'Ann');
    await until(({ sections }) => sections.players?.[0]?.name === 'Ann');
    const day = event(({ kind }) => kind === 'dayStarted');
    farm.calendar.day = 2;
    expect(await day).toMatchObject({ day: 2, season: 'spring' });
    const left = event(({ kind }) => kind === 'playerLeft');
    ann.isOnline = false;
    expect(await left).toMatchObject({ playerName: 'Ann' });
    await until(({ sections }) => sections.status?.playerCount === 0);
    await until(({ sections }) => sections.farmhands?.every(({ isOnline }) => !isOnline) === true);
    const { version } = bridge.state;
    const versionThere = farm.snapshot?.version ?? 0;
    await new Promise<void>((resolve) =>
      farm.on('snapshot', (snapshot) => snapshot.version > versionThere + 5 && resolve()),
    );
    // The uptime that its statistics count is all that may have come.
    expect(bridge.state.version).toBeLessThanOrEqual(version + 1);
  });
});

describe('what has no long-poll', () => {
  it('is looked at whenever a long-poll brings a change, so that a cabin is there with who has it', async () => {
    const { farm, origin } = await server();
    const { live, until } = await bridgeTo(origin, 'k', {}, noTurns);
    await live();
    farm.customize(farm.join(), 'Ann');
    await until(({ sections }) => sections.cabins?.cabins[0]?.ownerName === 'Ann');
    await until(({ sections }) => sections.cabins?.cabins.length === 2);
  });

  it('has an age of its own, which no other news makes younger', async () => {
    const { farm, origin } = await server();
    const { bridge, live, until } = await bridgeTo(origin, 'k', {}, noTurns);
    await live();
    await until(({ version }) => version > 0);
    const slow = ['cabins', 'rendering', 'stats', 'settings'] as const;
    const times = () => slow.map((name) => bridge.pushedAt([name])?.getTime());
    const [told, statusTold = new Date()] = [times(), bridge.pushedAt(['status'])];
    const isNewer = () => (bridge.pushedAt(['status', 'players', 'farmhands']) ?? statusTold) > statusTold;
    while (!isNewer()) await new Promise((resolve) => farm.once('snapshot', resolve));
    expect(times()).toEqual(told);
    expect(bridge.pushedAt(['status', 'cabins'])?.getTime()).toBe(told[0]);
    farm.calendar.day = 2;
    while (times().some((at = 0, index) => at <= (told[index] ?? 0)))
      await new Promise((resolve) => farm.once('snapshot', resolve));
  });

  it('is as old as that server says, so that a frozen one shows it', async () => {
    const { farm, origin } = await server();
    farm.thread.freeze();
    const at = performance.now() - 60_000;
    Object.assign(farm.snapshot ?? {}, { takenAt: at });
    const { bridge, until } = await bridgeTo(origin, 'k', {}, noTurns);
    await until(({ isWhole }) => isWhole);
    for (const name of ['status', 'players', 'farmhands', 'cabins'] as const)
      expect(Date.now() - (bridge.pushedAt([name])?.getTime() ?? 0)).toBeGreaterThanOrEqual(60_000);
  });
});

describe('a command', () => {
  it('is applied there, and says before and after', async () => {
    const { farm, origin } = await server();
    farm.customize(farm.join(), 'Ann');
    const { bridge, live, until } = await bridgeTo(origin);
    await live();
    await until(({ sections }) => sections.farmhands?.some(({ name }) => name === 'Ann') === true);
    expect(operationOf(await bridge.run({ name: 'setTime', params: { value: 1200 } }))).toMatchObject({
      state: 'applied',
      outcome: { before: { timeOfDay: 600 }, after: { timeOfDay: 1200 } },
    });
    expect(operationOf(await bridge.run({ name: 'setRenderRate', params: { fps: 30 } }))).toMatchObject({
      outcome: { before: { fps: 0 }, after: { fps: 30 } },
    });
    await until(({ sections }) => sections.rendering?.fps === 30);
    const target = { name: 'ANN' };
    expect(operationOf(await bridge.run({ name: 'grantAdmin', params: { target } }))).toMatchObject({
      state: 'applied',
      outcome: { subject: { id: '620826087702429092', name: 'Ann' } },
    });
    expect(farm.find(target)?.isAdmin).toBe(true);
  });

  it('deletes the farmhand of exactly that id', async () => {
    const { farm, origin } = await server();
    const first = farm.join();
    farm.customize(first, 'Ann');
    const second = farm.join();
    farm.customize(second, 'Bob');
    first.isOnline = false;
    second.isOnline = false;
    const { bridge, live } = await bridgeTo(origin);
    await live();
    const target = { playerId: '620826087702429092' };
    expect(operationOf(await bridge.run({ name: 'deleteFarmhand', params: { target } }))).toMatchObject({
      state: 'applied',
    });
    expect(farm.characters.map(({ id }) => String(id))).not.toContain('620826087702429092');
    expect(farm.characters.map(({ id }) => String(id))).toContain('620826087702429093');
  });

  it.each([
    [{ name: 'deleteFarmhand', params: { target: { playerId: '7' } } }, 'not-found'],
    [{ name: 'deleteFarmhand', params: { target: { name: 'Ann' } } }, 'online'],
    [{ name: 'grantAdmin', params: { target: { name: 'Twin' } } }, 'ambiguous'],
  ] as const)('that fails there with 200 is refused here: %j is %s', async (command, code) => {
    const { farm, origin } = await server();
    for (const name of ['Ann', 'Twin', 'twin']) farm.customize(farm.join(), name);
    const { bridge, live, until } = await bridgeTo(origin);
    await live();
    await until(({ sections }) => sections.farmhands?.some(({ name }) => name === 'twin') === true);
    expect(operationOf(await bridge.run(command))).toMatchObject({ state: 'refused', outcome: { code } });
    expect(farm.characters.every(({ isAdmin }) => !isAdmin)).toBe(true);
  });

  it('is refused for now while its game is frozen, as nothing was done', async () => {
    const { farm, origin } = await server({ budgets: { actionMs: 20 } });
    const { bridge, live } = await bridgeTo(origin);
    await live();
    farm.thread.freeze();
    expect(operationOf(await bridge.run({ name: 'setTime', params: { value: 900 } }))).toMatchObject({
      state: 'refused',
      outcome: { code: 'busy' },
    });
    farm.thread.thaw();
    expect(farm.calendar.timeOfDay).toBe(600);
  });

  it('whose answer is lost with that server stays unknown for good', async () => {
    const there = await server();
    const { port } = there;
    const { bridge, live } = await bridgeTo(there.origin);
    await live();
    there.farm.thread.freeze();
    const asked = bridge.run({ name: 'setTime', params: { value: 900 } });
    while (there.farm.thread.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    await there[Symbol.asyncDispose]();
    open = open.filter((each) => each !== there);
    const { id, state } = operationOf(await asked);
    expect(state).toBe('unknown');
    const again = await ExistingServer.start({ key: 'k', port });
    open.push(again);
    await live();
    expect(bridge.operations.find(id)?.state).toBe('unknown');
  });

  it('of another kind is not supported', async () => {
    const { origin } = await server();
    const { bridge, live } = await bridgeTo(origin);
    await live();
    expect(await bridge.run({ name: 'save', params: {} })).toEqual({ kind: 'unsupported', command: 'save' });
  });
});

describe('chat', () => {
  it('comes from there, commands and their blanks kept back', async () => {
    const { farm, chat, origin } = await server();
    farm.customize(farm.join(), 'Ann');
    const { live, until, event } = await bridgeTo(origin);
    await live();
    await until(({ sections }) => sections.players?.[0]?.name === 'Ann');
    while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    const heard = event(({ kind }) => kind === 'chat');
    farm.say('Ann', ' !login secret');
    farm.say('Ann', 'hello');
    expect(await heard).toEqual({
      kind: 'chat',
      playerId: '620826087702429092',
      playerName: 'Ann',
      message: 'hello',
    });
  });

  it('is known to be said when the pong after it comes in time', async () => {
    const { farm, chat, origin } = await server();
    const { bridge, live } = await bridgeTo(origin);
    await live();
    while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    const say = { name: 'sendChat', params: { author: 'Bot', message: 'hi' } } as const;
    // That server listens to a line a moment before this side knows.
    let said = await bridge.run(say);
    while (operationOf(said).state === 'refused') {
      await new Promise((resolve) => setImmediate(resolve));
      said = await bridge.run(say);
    }
    expect(operationOf(said).state).toBe('applied');
    expect(farm.inGameChat).toEqual(['(Web) Bot: hi']);
  });

  it('is unknown when the game freezes before it comes to the line, and is never counted as said', async () => {
    const { farm, chat, origin } = await server({ budgets: { chatMs: fast.chatDropMs } });
    const { bridge, live } = await bridgeTo(origin);
    await live();
    while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    const say = (message: string) =>
      bridge.run({ name: 'sendChat', params: { author: 'Bot', message } } as const);
    while (operationOf(await say('hi')).state !== 'applied')
      await new Promise((resolve) => setImmediate(resolve));
    farm.thread.freeze();
    const asked = say('lost');
    while (farm.thread.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(operationOf(await asked)).toMatchObject({ state: 'unknown', forGood: true });
    farm.thread.thaw();
    expect(operationOf(await say('again')).state).toBe('applied');
    expect(farm.inGameChat).not.toContain('(Web) Bot: lost');
  });

  it('is refused while its line is not there', async () => {
    const { farm, chat, origin } = await server();
    const { bridge, live, warnings } = await bridgeTo(origin, 'k', { firstMs: 60_000 });
    await live();
    while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    const gone = once(warnings, 'warning');
    chat.drop();
    expect(String(await gone)).toContain('the chat of the existing server is gone');
    const say = { name: 'sendChat', params: { author: 'Bot', message: 'hi' } } as const;
    const { state, outcome } = operationOf(await bridge.run(say));
    expect([state, outcome]).toMatchObject(['refused', { code: 'not-ready' }]);
  });
});

describe('a server that', () => {
  it('freezes is called frozen, and live again', async () => {
    const { farm, origin } = await server();
    const { bridge, live, until } = await bridgeTo(origin);
    await live();
    farm.thread.freeze();
    farm.thread.pretendSilence(6_000);
    await until(({ link }) => link.status === 'frozen');
    expect(bridge.ticks.ageMs).toBeGreaterThan(5_000);
    farm.thread.thaw();
    await live();
  });

  it('vanishes is gone, and followed anew when it is back, whatever its versions were', async () => {
    const there = await server();
    const { port } = there;
    const { live, until } = await bridgeTo(there.origin);
    await live();
    while ((there.farm.snapshot?.version ?? 0) < 20)
      await new Promise((resolve) => there.farm.once('snapshot', resolve));
    await there[Symbol.asyncDispose]();
    open = open.filter((each) => each !== there);
    await until(({ link }) => link.status === 'gone');
    const again = await ExistingServer.start({ key: 'k', port, snapshotMs: 10 });
    open.push(again);
    await live();
    again.farm.calendar.timeOfDay = 1_500;
    await until(({ sections }) => sections.status?.timeOfDay === 1_500);
  });

  it('refuses the key is named as that', async () => {
    const { origin } = await server();
    const { until } = await bridgeTo(origin, 'wrong');
    const { link } = await until(({ link }) => link.reason.includes('EXISTING_API_KEY'));
    expect(link.status).toBe('waiting');
  });
});
