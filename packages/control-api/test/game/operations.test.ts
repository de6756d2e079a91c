import type { Command } from '@steward/shared/bridge/commands';
import { expect, it } from 'vitest';
import { MemoryStore } from './stage/memory-store.ts';
import { type GameEnd, hello, openStage, settled } from './stage/stage.ts';

const nine: Command = { name: 'setTime', params: { value: 900 } };
const applied = { outcome: 'applied', before: { timeOfDay: 600 }, after: { timeOfDay: 900 } };

async function heardOne(game: GameEnd) {
  await settled();
  const [message] = game.heard() as { id: string; params: { command: string }; result?: unknown }[];
  if (message === undefined) throw new Error('nothing was heard');
  return message;
}

async function claim(game: GameEnd, command: string, id = '50') {
  game.say({ jsonrpc: '2.0', id, method: 'claim', params: { command } });
  return (await heardOne(game)).result;
}

it('answers with before and after once the game has claimed and applied', async () => {
  const { bridge, game } = await openStage();
  const result = bridge.run(nine);
  const { id, params } = await heardOne(game);
  expect(await claim(game, params.command)).toEqual({ granted: true });
  expect(await claim(game, params.command, '51')).toMatchObject({ granted: false });
  expect(bridge.operations.find(params.command)).toMatchObject({ state: 'claimed', farmId: 'Meadow_1' });
  game.say({ jsonrpc: '2.0', id, result: applied });
  expect(await result).toMatchObject({
    kind: 'operation',
    operation: { state: 'applied', outcome: applied },
  });
});

it('is void after the deadline, for ever', async () => {
  const { bridge, clock, game } = await openStage();
  const result = bridge.run(nine);
  const { params } = await heardOne(game);
  clock.advance(5_000);
  expect(await result).toMatchObject({
    operation: { state: 'void', why: expect.stringContaining('5000 ms') },
  });
  expect(await claim(game, params.command)).toMatchObject({ granted: false, reason: 'it is void already' });
});

it('is refused at once while the game is frozen, is not sent, and its key is free when it ticks again', async () => {
  const { bridge, clock, game } = await openStage();
  clock.advance(5_000);
  const refused = await bridge.run(nine, { idempotencyKey: 'k' });
  expect(refused).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringContaining('no tick for 5000 ms'),
  });
  await settled();
  expect(game.heard()).toEqual([]);
  game.say({ jsonrpc: '2.0', method: 'tick', params: { count: 1 } });
  await settled();
  const result = bridge.run(nine, { idempotencyKey: 'k' });
  const { id, params } = await heardOne(game);
  await claim(game, params.command);
  game.say({ jsonrpc: '2.0', id, result: applied });
  expect(await result).toMatchObject({ operation: { state: 'applied' } });
});

it('takes one key for one command: in flight, afterwards, and after a restart', async () => {
  const store = new MemoryStore();
  const { bridge, game } = await openStage({ store });
  const both = Promise.all([1, 2].map(() => bridge.run(nine, { idempotencyKey: 'k' })));
  const { id, params } = await heardOne(game);
  await claim(game, params.command);
  game.say({ jsonrpc: '2.0', id, result: applied });
  const [first, second] = await both;
  expect(second).toEqual(first);
  expect(await bridge.run(nine, { idempotencyKey: 'k' })).toEqual(first);
  const other: Command = { name: 'setTime', params: { value: 1000 } };
  expect(await bridge.run(other, { idempotencyKey: 'k' })).toMatchObject({ kind: 'key-reused' });
  const later = await openStage({ store });
  expect(await later.bridge.run(nine, { idempotencyKey: 'k' })).toEqual(first);
  await settled();
  expect(later.game.heard()).toEqual([]);
});

it('frees the key of a command that was refused for the moment, and no other', async () => {
  const { bridge, game } = await openStage();
  const answerWith = async (code: string) => {
    const result = bridge.run(nine, { idempotencyKey: 'k' });
    const { id } = await heardOne(game);
    game.say({ jsonrpc: '2.0', id, result: { outcome: 'refused', code, message: 'no' } });
    return result;
  };
  expect(await answerWith('saving')).toMatchObject({ operation: { state: 'refused' } });
  expect(await answerWith('online')).toMatchObject({ operation: { outcome: { code: 'online' } } });
  expect(await bridge.run(nine, { idempotencyKey: 'k' })).toMatchObject({
    operation: { outcome: { code: 'online' } },
  });
});

/** The game hears each command, and refuses it. */
function refusedBy({ bridge, game }: Pick<Awaited<ReturnType<typeof openStage>>, 'bridge' | 'game'>) {
  return async (key: string) => {
    const result = bridge.run(nine, { idempotencyKey: key });
    const { id } = await heardOne(game);
    game.say({ jsonrpc: '2.0', id, result: { outcome: 'refused', code: 'online', message: 'no' } });
    return result;
  };
}

it('forgets a key after a day and after a thousand others', async () => {
  const stage = await openStage();
  const { clock, game } = stage;
  const run = refusedBy(stage);
  const first = await run('a');
  clock.advance(24 * 60 * 60 * 1_000 + 1);
  game.say({ jsonrpc: '2.0', method: 'tick', params: { count: 1 } });
  await settled();
  const aDayLater = await run('a');
  for (let key = 0; key < 1_000; key += 1) await run(`other ${key}`);
  const thousandLater = await run('a');
  // Each of them was heard by the game again.
  for (const result of [first, aDayLater, thousandLater])
    expect(result).toMatchObject({ kind: 'operation', operation: { state: 'refused' } });
});

it('forgets a key after a day also behind one that was sent while the clock was years ahead', async () => {
  const stage = await openStage();
  const { clock, game } = stage;
  const run = refusedBy(stage);
  const dayMs = 24 * 60 * 60 * 1_000;
  clock.setWallClock(5_000 * dayMs);
  await run('ahead');
  clock.setWallClock(-5_000 * dayMs);
  await run('a');
  clock.advance(dayMs + 1);
  game.say({ jsonrpc: '2.0', method: 'tick', params: { count: 1 } });
  await settled();
  // The game hears it again.
  expect(await run('a')).toMatchObject({ kind: 'operation', operation: { state: 'refused' } });
});

it('forgets no key for however many commands without one', async () => {
  const { bridge, game } = await openStage();
  const run = async (options = {}) => {
    const result = bridge.run(nine, options);
    const { id } = await heardOne(game);
    game.say({ jsonrpc: '2.0', id, result: { outcome: 'refused', code: 'online', message: 'no' } });
    return result;
  };
  const first = await run({ idempotencyKey: 'a' });
  for (let line = 0; line < 1_001; line += 1) await run();
  const again = bridge.run(nine, { idempotencyKey: 'a' });
  await settled();
  expect(game.heard()).toEqual([]);
  expect(await again).toEqual(first);
});

it('sends nothing without a game, nor what the game cannot do', async () => {
  const { bridge, game } = await openStage();
  expect(await bridge.run({ name: 'stop', params: {} })).toEqual({ kind: 'unsupported', command: 'stop' });
  game.cut();
  await settled();
  expect(await bridge.run(nine, { idempotencyKey: 'k' })).toMatchObject({ kind: 'unavailable' });
});

it('asks the journal again while the game still works on it, and of its own farm alone', async () => {
  const { bridge, clock, game } = await openStage();
  const result = bridge.run(nine);
  const { params } = await heardOne(game);
  await claim(game, params.command);
  clock.advance(10_000);
  expect(await result).toMatchObject({ operation: { state: 'unknown' } });
  const working = { command: params.command, state: 'working' };
  game.say({ jsonrpc: '2.0', id: (await heardOne(game)).id, result: { entries: [working] } });
  await settled();
  clock.advance(1_000);
  const again = await heardOne(game);
  game.say({ jsonrpc: '2.0', method: 'state', params: { farm: { farmId: 'Other_2', saveGeneration: 1 } } });
  game.say({ jsonrpc: '2.0', id: again.id, result: { entries: [working] } });
  await settled();
  clock.advance(1_000);
  await settled();
  expect(game.heard()).toEqual([]);
  game.say({ jsonrpc: '2.0', method: 'state', params: { farm: { farmId: 'Meadow_1', saveGeneration: 3 } } });
  const last = await heardOne(game);
  game.say({
    jsonrpc: '2.0',
    id: last.id,
    result: { entries: [{ command: params.command, state: 'absent' }] },
  });
  await settled();
  expect(bridge.operations.find(params.command)).toMatchObject({ state: 'void' });
});

it.each([
  { form: 'that has no `after`', told: { outcome: 'applied', before: { timeOfDay: 600 } } },
  { form: 'of another command', told: { outcome: 'applied', before: { fps: 1 }, after: { fps: 2 } } },
])('gives up an outcome $form in the journal, and settles the one beside it', async ({ told }) => {
  const { bridge, clock, mode, game } = await openStage();
  const both = Promise.all([bridge.run(nine), bridge.run(nine)]);
  await settled();
  const sent = game.heard() as { params: { command: string } }[];
  const commands = sent.map(({ params }) => params.command);
  for (const command of commands) expect(await claim(game, command)).toEqual({ granted: true });
  game.cut();
  expect(await both).toMatchObject([
    { operation: { state: 'unknown' } },
    { operation: { state: 'unknown' } },
  ]);
  const back = mode.connect();
  back.say(hello);
  await settled();
  const asked = back.heard().find(({ method }) => method === 'journal');
  expect(asked).toMatchObject({ params: { commands } });
  const entries = commands.map((command, index) => ({
    command,
    state: 'applied',
    outcome: index === 0 ? told : applied,
  }));
  back.say({ jsonrpc: '2.0', id: asked?.['id'], result: { entries } });
  await settled();
  expect(commands.map((command) => bridge.operations.find(command))).toMatchObject([
    { state: 'unknown', forGood: true, why: "the game's journal has an outcome that cannot be read" },
    { state: 'applied', outcome: applied },
  ]);
  clock.advance(1_000);
  await settled();
  expect(back.heard()).toEqual([]);
});

it('grants nothing that it cannot keep', async () => {
  const store = new MemoryStore();
  const { bridge, game } = await openStage({ store });
  const result = bridge.run(nine);
  const { params } = await heardOne(game);
  store.full = true;
  expect(await claim(game, params.command)).toMatchObject({
    granted: false,
    reason: expect.stringContaining('disk'),
  });
  const why = 'STATE_DIR cannot be written (no space left)';
  expect(await result).toMatchObject({ operation: { state: 'void', why } });
});

it('frees the key of what could not be kept, and carries it out once there is room', async () => {
  const store = new MemoryStore();
  const { bridge, game } = await openStage({ store });
  store.full = true;
  const refused = bridge.run(nine, { idempotencyKey: 'k' });
  await claim(game, (await heardOne(game)).params.command);
  expect(await refused).toMatchObject({ operation: { state: 'void', notDurable: true } });
  game.heard();
  store.full = false;
  const result = bridge.run(nine, { idempotencyKey: 'k' });
  const { id, params } = await heardOne(game);
  expect(await claim(game, params.command)).toEqual({ granted: true });
  game.say({ jsonrpc: '2.0', id, result: applied });
  expect(await result).toMatchObject({ operation: { state: 'applied' } });
});

it('grants nothing whose caller has been answered while the disk was slow', async () => {
  const store = new MemoryStore();
  const { bridge, clock, game } = await openStage({ store });
  const result = bridge.run(nine);
  const { params } = await heardOne(game);
  const disk = Promise.withResolvers<void>();
  store.slow = disk.promise;
  game.say({ jsonrpc: '2.0', id: '50', method: 'claim', params: { command: params.command } });
  await settled();
  clock.advance(10_000);
  disk.resolve();
  expect(await result).toMatchObject({ kind: 'operation' });
  await settled();
  const answers = game.heard().filter(({ id }) => id === '50');
  expect(answers).toMatchObject([{ result: { granted: false } }]);
  expect(bridge.operations.find(params.command)).toMatchObject({ state: 'void' });
});

it('starts on a full disk, with what an earlier process left', async () => {
  const store = new MemoryStore();
  const at = '2026-11-20T06:30:00.000Z';
  store.kept.set('77', {
    id: '77',
    command: 'setTime',
    state: 'claimed',
    createdAt: at,
    changedAt: at,
    farmId: 'Meadow_1',
    fingerprint: 'f',
  });
  store.full = true;
  const { bridge } = await openStage({ store });
  expect(bridge.operations.find('77')).toMatchObject({ state: 'unknown' });
});
