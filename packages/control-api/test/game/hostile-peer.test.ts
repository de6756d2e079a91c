import { frameLimitBytes } from '@steward/shared/bridge/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bridgeLimits } from '../../src/game/state/limits.ts';
import { MemoryStore } from './stage/memory-store.ts';
import { hello, openFarm, openStage, settled } from './stage/stage.ts';

const question = (id: number) => ({
  jsonrpc: '2.0',
  id: String(id),
  method: 'lobbyVisibility',
  params: { site: 'network', requested: 'friends-only' },
});

it('answers an unreadable line, goes on, and gives up after the hundredth', async () => {
  const { game } = await openStage();
  game.say('nonsense');
  game.say(question(2));
  await settled();
  expect(game.heard()).toMatchObject([{ id: null, error: { code: -32700 } }, { id: '2' }]);
  for (let line = 1; line < bridgeLimits.badLines; line += 1) game.say('[]');
  await settled();
  expect(game.heard()[0]).toMatchObject({ id: null, error: { code: -32600 } });
  expect(game.closed).toBe(true);
});

it('ends the connection at a line over the limit, having held no more than the limit', async () => {
  const { bridge, game } = await openStage();
  game.output.write('x'.repeat(frameLimitBytes + 1));
  await settled();
  expect(game.heard()).toMatchObject([{ id: null, error: { message: expect.stringContaining('1048576') } }]);
  expect(game.closed).toBe(true);
  expect(bridge.state.link).toMatchObject({ status: 'gone', reason: expect.stringContaining('1048576') });
});

it('takes no more requests in hand than the limit', async () => {
  const { game } = await openStage({ questions: { ...openFarm, appTicket: () => new Promise(() => {}) } });
  for (let id = 0; id <= bridgeLimits.requestsInHand; id += 1)
    game.say({ jsonrpc: '2.0', id: String(id + 10), method: 'appTicket', params: {} });
  await settled();
  expect(game.heard().filter(({ error }) => (error as { code?: number })?.code === -32005)).toHaveLength(1);
});

it('keeps no player out because many commands are being claimed', async () => {
  const store = new MemoryStore();
  const { bridge, game } = await openStage({ store });
  // The disk takes its time over each claim.
  store.slow = new Promise(() => {});
  for (let command = 0; command <= bridgeLimits.requestsInHand; command += 1)
    void bridge.run({ name: 'setRenderRate', params: { fps: command } });
  await settled();
  for (const [index, { params }] of game.heard().entries()) {
    const { command } = params as { command: string };
    game.say({ jsonrpc: '2.0', id: String(100 + index), method: 'claim', params: { command } });
  }
  game.say(question(9));
  await settled();
  expect(game.heard()).toEqual([{ jsonrpc: '2.0', id: '9', result: { visibility: 'public' } }]);
});

it('drops a game that does not read what it asks for', async () => {
  const { bridge, clock, game } = await openStage();
  game.input.removeAllListeners('data');
  game.input.pause();
  const asked = { jsonrpc: '2.0', id: '1', method: 'y'.repeat(64) };
  for (let second = 0; second < 12 && !bridge.state.link.reason.includes('does not read'); second += 1) {
    for (let line = 0; line < bridgeLimits.linesPerSecond; line += 1) game.say(asked);
    await settled();
    clock.advance(1_000);
    await settled();
  }
  expect(bridge.state.link).toMatchObject({ status: 'gone', reason: 'the game does not read' });
});

it('reads a flood at a pace and leaves the rest where it is', async () => {
  const { bridge, clock, game } = await openStage();
  for (let count = 1; count <= bridgeLimits.linesPerSecond * 2; count += 1)
    game.say({ jsonrpc: '2.0', method: 'tick', params: { count } });
  await settled();
  await settled();
  expect(bridge.ticks.count).toBeLessThan(bridgeLimits.linesPerSecond * 1.5);
  clock.advance(1_000);
  await settled();
  clock.advance(1_000);
  await settled();
  expect(bridge.ticks.count).toBe(bridgeLimits.linesPerSecond * 2);
});

it('does not take an outcome that is nested so deep that nobody could write it down', async () => {
  const { bridge, game } = await openStage();
  const asked = bridge.run({ name: 'setRenderRate', params: { fps: 30 } });
  await settled();
  const [{ id, params }] = game.heard() as [{ id: string; params: { command: string } }];
  game.say({ jsonrpc: '2.0', id: '9', method: 'claim', params: { command: params.command } });
  await settled();
  const deep = `{"fps":60,"more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  game.say(
    `{"jsonrpc":"2.0","id":"${id}","result":{"outcome":"applied","before":${deep},"after":{"fps":30}}}`,
  );
  await settled();
  expect(await asked).toMatchObject({ operation: { state: 'unknown' } });
  expect(bridge.state.link.status).toBe('live');
});

it('survives whatever bytes and documents come', async () => {
  const strange = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.constantFrom('1', '2', null, 7), fc.string()),
      method: fc.constantFrom(
        'hello',
        'claim',
        'mayJoin',
        'visibleSlots',
        'state',
        'event',
        'tick',
        'journal',
        '__proto__',
      ),
      params: fc.dictionary(
        fc.constantFrom('command', 'event', 'status', 'slots', '__proto__', 'count'),
        fc.jsonValue(),
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(strange, { maxLength: 30 }), async (documents) => {
      const { bridge, game, mode } = await openStage();
      for (const document of documents) game.say(document);
      await settled();
      expect(bridge.state.link.status).toMatch(/^(live|gone)$/);
      game.cut();
      await settled();
      const next = mode.connect();
      next.say(hello);
      await settled();
      expect(next.heard()[0]).toHaveProperty('result');
      expect(bridge.state.link.status).toBe('live');
    }),
  );
}, 300_000);

it('keeps chat that begins with ! and events it does not know to itself', async () => {
  const { bridge, game } = await openStage();
  const chat = (message: string) => ({
    jsonrpc: '2.0',
    method: 'event',
    params: { event: { kind: 'chat', playerId: '1', playerName: 'Robin', message } },
  });
  game.say(chat('  !login hunter2'));
  game.say({ jsonrpc: '2.0', method: 'event', params: { event: { kind: 'sneezed' } } });
  game.say(chat('good morning'));
  await settled();
  const { events } = bridge.events.recent({ epoch: 'e1', number: 0 });
  expect(events.map(({ event }) => event.type)).toEqual(['game.connected', 'chat.said']);
});
