import { Secret } from '@steward/service-kit/secret';
import { sectionNames } from '@steward/shared/bridge/state';
import { emptyFarm } from '@steward/testing/game/empty-farm';
import { expect, it, vi } from 'vitest';
import { buildBridge, hello, MemoryMode, openFarm, openStage, settled } from './stage/stage.ts';

async function greeted(params: object, secret?: Secret) {
  const mode = new MemoryMode();
  await buildBridge({ mode }).start();
  const game = mode.connect(secret);
  game.say({ ...hello, params: { ...hello.params, ...params } });
  await settled();
  return { answer: game.heard()[0], closed: game.closed };
}

it.each([
  [
    { protocol: { major: 2, minor: 0 } },
    -32001,
    /speaks bridge protocol 1\.1 and the game 2\.0: update the control API/,
  ],
  [{ protocol: { major: 0, minor: 9 } }, -32001, /update the game's mod/],
  [{ protocol: 'new' }, -32602, /protocol/],
  [{ farm: { farmId: '../..', saveGeneration: 1 } }, -32602, /farm\.farmId/],
])('refuses %o with what to do about it', async (params, code, message) => {
  const { answer, closed } = await greeted(params);
  expect(answer).toMatchObject({ id: '1', error: { code, message: expect.stringMatching(message) } });
  expect(closed).toBe(true);
});

it('asks for the secret where the stream proves nothing', async () => {
  const secret = new Secret('between us');
  expect((await greeted({}, secret)).answer).toMatchObject({ error: { code: -32002 } });
  expect((await greeted({ secret: 'wrong' }, secret)).answer).toMatchObject({ error: { code: -32002 } });
  expect((await greeted({ secret: 'between us' }, secret)).answer).toHaveProperty('result');
});

it('refuses whoever does not say hello first, and whoever says nothing', async () => {
  const mode = new MemoryMode();
  const { clock } = await openStage();
  const bridge = buildBridge({ mode, clock });
  await bridge.start();
  const rude = mode.connect();
  rude.say({ jsonrpc: '2.0', id: '1', method: 'appTicket', params: {} });
  await settled();
  expect(rude.heard()).toMatchObject([{ error: { code: -32004 } }]);
  expect(rude.closed).toBe(true);
  const silent = mode.connect();
  clock.advance(10_000);
  await settled();
  expect(silent.closed).toBe(true);
  expect(bridge.state.link.status).toBe('waiting');
});

it('refuses a second game with the reason while one is connected, and takes it when that one is gone', async () => {
  const { bridge, mode, game } = await openStage();
  const second = mode.connect();
  second.say(hello);
  await settled();
  expect(second.heard()).toMatchObject([
    { error: { code: -32003, message: expect.stringContaining('Stage game 1.0.0') } },
  ]);
  expect(second.closed).toBe(true);
  expect(bridge.state.link.status).toBe('live');
  game.cut();
  await settled();
  expect(bridge.state.link.status).toBe('gone');
  const third = mode.connect();
  third.say(hello);
  await settled();
  expect(third.heard()[0]).toHaveProperty('result');
});

it('tells the settings only to a game that it takes', async () => {
  const settings = vi.fn(openFarm.settings);
  const { mode } = await openStage({ questions: { ...openFarm, settings } });
  expect(settings).toHaveBeenCalledOnce();
  const second = mode.connect();
  second.say(hello);
  await settled();
  expect(second.heard()).toMatchObject([{ error: { code: -32003 } }]);
  expect(settings).toHaveBeenCalledOnce();
});

it('says since when and why a game is slow, frozen and back, by ticks that grow alone', async () => {
  const { bridge, clock, game } = await openStage();
  const tick = async (count: number) => {
    game.say({ jsonrpc: '2.0', method: 'tick', params: { count } });
    await settled();
  };
  await tick(5);
  clock.advance(2_000);
  expect(bridge.state.link).toMatchObject({
    status: 'slow',
    reason: 'no tick for 2000 ms',
    since: clock.date(),
  });
  await tick(5);
  clock.advance(3_000);
  expect(bridge.state.link.status).toBe('frozen');
  expect(bridge.ticks).toEqual({ count: 5, ageMs: 5_000 });
  await tick(6);
  expect(bridge.state.link).toMatchObject({ status: 'live', reason: 'the game ticks again' });
});

it('keeps the last state of a game that is gone, and is whole again when every section has come again', async () => {
  const { bridge, mode, game } = await openStage();
  game.say({ jsonrpc: '2.0', method: 'state', params: { rendering: { fps: 30 } } });
  game.say({ jsonrpc: '2.0', method: 'state', params: { rendering: { fps: 'many' } } });
  await settled();
  expect(bridge.state).toMatchObject({ version: 1, isWhole: false, sections: { rendering: { fps: 30 } } });
  game.cut();
  await settled();
  expect(bridge.state.sections.rendering).toEqual({ fps: 30 });
  const back = mode.connect();
  back.say(hello);
  await settled();
  const farm = emptyFarm();
  for (const name of sectionNames) {
    expect(bridge.state.isWhole).toBe(false);
    back.say({ jsonrpc: '2.0', method: 'state', params: { [name]: farm[name] } });
    await settled();
  }
  expect(bridge.state.isWhole).toBe(true);
  expect(bridge.state.sections).toEqual(farm);
});
