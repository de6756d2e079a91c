import { Secret } from '@steward/service-kit/secret';
import { bridgeTiming } from '@steward/shared/bridge/protocol';
import { sectionNames } from '@steward/shared/bridge/state';
import { emptyFarm } from '@steward/testing/game/empty-farm';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it, vi } from 'vitest';
import { buildBridge, type GameEnd, hello, MemoryMode, openFarm, openStage, settled } from './stage/stage.ts';

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

it.each([
  { how: 'over TCP answers nothing any more', canVanish: true, answers: false, isLetIn: true },
  { how: 'over TCP still answers', canVanish: true, answers: true, isLetIn: false },
  { how: 'is on this machine', canVanish: false, answers: false, isLetIn: false },
])(
  'gives the place of a frozen game that $how to another: $isLetIn',
  async ({ canVanish, answers, isLetIn }) => {
    const { mode, clock, game } = await openStage({ canVanish });
    const asOther = async () => {
      const other = mode.connect();
      other.say(hello);
      await settled();
      return other.heard()[0];
    };
    game.say({ jsonrpc: '2.0', method: 'tick', params: { count: 1 } });
    await settled();
    expect(await asOther()).toHaveProperty('error');
    expect(game.heard()).toEqual([]);
    clock.advance(5_000);
    expect(await asOther()).toMatchObject({ error: { message: expect.stringContaining('frozen since') } });
    const asked = game.heard();
    expect(asked.map(({ method }) => method)).toEqual(canVanish ? ['journal'] : []);
    const entries = [{ command: '0', state: 'absent' }];
    if (answers) game.say({ jsonrpc: '2.0', id: asked[0]?.['id'], result: { entries } });
    await settled();
    clock.advance(5_000);
    await settled();
    expect(game.closed).toBe(isLetIn);
    expect(await asOther()).toHaveProperty(isLetIn ? 'result' : 'error');
  },
);

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

it('forgets what was told of a farm when another is loaded on the same connection, and is whole again when all of that has come', async () => {
  const { bridge, game } = await openStage();
  const tell = async (params: object) => {
    game.say({ jsonrpc: '2.0', method: 'state', params });
    await settled();
  };
  const { farm: first, ...rest } = emptyFarm();
  await tell({ ...rest, farm: first });
  await tell({ farm: null });
  await tell({ farm: first });
  expect(bridge.state).toMatchObject({ isWhole: true, sections: rest });
  const other = { farmId: 'Other_2', saveGeneration: 1 };
  await tell({ farm: null });
  await tell({ farm: other });
  expect(bridge.state).toMatchObject({ isWhole: false, sections: { farm: other } });
  expect(Object.keys(bridge.state.sections)).toEqual(['farm']);
  await tell(rest);
  expect(bridge.state).toMatchObject({ isWhole: true, sections: { ...rest, farm: other } });
});

it('takes the sections of a game that is back in any order, also with another farm', async () => {
  const { bridge, mode, game } = await openStage();
  game.say({ jsonrpc: '2.0', method: 'state', params: emptyFarm() });
  await settled();
  game.cut();
  await settled();
  const back = mode.connect();
  back.say(hello);
  await settled();
  const { farm, ...rest } = emptyFarm();
  back.say({ jsonrpc: '2.0', method: 'state', params: rest });
  back.say({ jsonrpc: '2.0', method: 'state', params: { farm: { ...farm, farmId: 'Other_2' } } });
  await settled();
  expect(bridge.state).toMatchObject({ isWhole: true, sections: { farm: { farmId: 'Other_2' } } });
});

it.each([
  ['is silent', () => {}, /^No answer from the game: farms was not answered within \d+ ms; /],
  ['goes', (game: GameEnd) => game.cut(), /^No answer from the game: .*closed the connection/],
  ['says something else', answering({ result: { farms: 'many' } }), /answer cannot be read/],
  ['says why not', answering({ error: { code: -32000, message: 'no disk' } }), /^The game cannot: no disk$/],
])('says of a game that is asked for its farms and %s what it did', async (_, act, words) => {
  const clock = new ManualClock();
  const mode = new MemoryMode();
  const bridge = buildBridge({ mode, clock });
  await bridge.start();
  const game = mode.connect();
  game.say({ ...hello, params: { ...hello.params, capabilities: ['farms'] } });
  await settled();
  const refused = bridge.ask('farms').catch((error: unknown) => error);
  await settled();
  act(game);
  await settled();
  clock.advance(bridgeTiming.asked);
  expect(await refused).toMatchObject({ message: expect.stringMatching(words) });
});

/** Answers what it was asked last. */
function answering(words: object) {
  return (game: GameEnd) => game.say({ jsonrpc: '2.0', id: game.heard().at(-1)?.['id'], ...words });
}
