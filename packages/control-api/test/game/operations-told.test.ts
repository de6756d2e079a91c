import type { Command } from '@steward/shared/bridge/commands';
import type { EventOf } from '@steward/shared/events/event-data';
import { expect, it } from 'vitest';
import type { GameBridge } from '../../src/game/game-bridge.ts';
import { MemoryStore } from './stage/memory-store.ts';
import { buildBridge, type GameEnd, hello, MemoryMode, openStage, settled } from './stage/stage.ts';

type Ended = EventOf<'operations.ended'>['data'];

function endings(bridge: Pick<GameBridge, 'events'>): Ended[] {
  const told: Ended[] = [];
  bridge.events.follow(({ event }) => event.type === 'operations.ended' && told.push(event.data));
  return told;
}

/** The one command that the game has heard, which it claims. */
async function claimed(game: GameEnd): Promise<{ id: string; operationId: string }> {
  await settled();
  const [asked] = game.heard() as { id: string; params: { command: string } }[];
  if (asked === undefined) throw new Error('nothing was heard');
  const { command: operationId } = asked.params;
  game.say({ jsonrpc: '2.0', id: '50', method: 'claim', params: { command: operationId } });
  await settled();
  game.heard();
  return { id: asked.id, operationId };
}

const setTime: Command = { name: 'setTime', params: { value: 900 } };

it('tells how each change ended, of whom, and why where that is told', async () => {
  const { bridge, clock, game } = await openStage();
  const told = endings(bridge);
  const change = async (command: Command, result: object): Promise<string> => {
    const ended = bridge.run(command);
    const { id, operationId } = await claimed(game);
    expect(told.map((each) => each.operationId)).not.toContain(operationId);
    game.say({ jsonrpc: '2.0', id, result });
    await ended;
    return operationId;
  };
  const done = { outcome: 'applied', before: { timeOfDay: 600 }, after: { timeOfDay: 900 } };
  const first = await change(setTime, done);
  const subject = { id: '-42', name: 'Ann' };
  const ann = { target: { playerId: '-42' } };
  const role = { outcome: 'applied', subject, before: { isAdmin: false }, after: { isAdmin: true } };
  const second = await change({ name: 'grantAdmin', params: ann }, role);
  const busy = { outcome: 'refused', code: 'saving', message: 'The game saves' };
  const third = await change(setTime, busy);
  const late = bridge.run(setTime);
  clock.advance(4_999);
  expect(told).toHaveLength(3);
  clock.advance(1);
  await late;
  expect(told).toEqual([
    { operationId: first, command: 'setTime', state: 'applied' },
    { operationId: second, command: 'grantAdmin', state: 'applied', playerId: '-42', playerName: 'Ann' },
    { operationId: third, command: 'setTime', state: 'refused', reason: 'The game saves' },
    {
      operationId: expect.any(String),
      command: 'setTime',
      state: 'void',
      reason: 'the game did not claim it within 5000 ms',
    },
  ]);
});

it('tells that nobody knows how one ended that a restart has cut off, and once the journal tells how it did', async () => {
  const store = new MemoryStore();
  const first = await openStage({ store });
  void first.bridge.run(setTime);
  const { operationId } = await claimed(first.game);
  const mode = new MemoryMode();
  const bridge = buildBridge({ mode, store });
  const told = endings(bridge);
  await bridge.start();
  expect(told).toMatchObject([{ operationId, state: 'unknown', reason: expect.stringMatching(/restarted/) }]);
  const game = mode.connect();
  game.say(hello);
  await settled();
  const question = game.heard().find(({ method }) => method === 'journal');
  const entries = [{ command: operationId, state: 'absent' }];
  game.say({ jsonrpc: '2.0', id: question?.['id'], result: { entries } });
  await settled();
  expect(told.slice(1)).toMatchObject([
    { operationId, state: 'void', reason: expect.stringMatching(/journal/) },
  ]);
});

it('tells nothing again of what a farm’s file brings back, which was told when it was done', async () => {
  const { bridge, clock } = await openStage();
  const told = endings(bridge);
  const outcome = { outcome: 'applied', before: {}, after: {} } as const;
  const createdAt = clock.date().toISOString();
  const operation = { command: 'releaseFarmhand', createdAt, fingerprint: '' } as const;
  const written = { command: 'an-earlier-one', state: 'applied', outcome, operation } as const;
  bridge.operations.restore('Meadow_1', [written], () => true);
  await settled();
  expect(bridge.operations.find('an-earlier-one')).toMatchObject({ state: 'applied' });
  expect(told).toEqual([]);
});

it('leaves out chat lines, steps of another operation, and what the service has the game do by itself', async () => {
  const { bridge, clock } = await openStage();
  const told = endings(bridge);
  const runs = [
    bridge.run({ name: 'save', params: {} }, { partOf: '7' }),
    bridge.operations.carryOut({ name: 'sendChat', request: 1, idempotencyKey: undefined }, carriedOut),
    bridge.operations.carryOut({ name: 'linkLobby', request: 2, idempotencyKey: undefined }, carriedOut),
    bridge.operations.carryOut({ name: 'clearStamp', request: 3, idempotencyKey: undefined }, carriedOut),
  ];
  clock.advance(5_000);
  await Promise.all(runs);
  expect(told).toEqual([]);
});

it('tells of what is an admin’s alone nothing but that it ended, and how', async () => {
  const { bridge } = await openStage();
  const told = endings(bridge);
  const asked = { name: 'createKey', request: {}, idempotencyKey: undefined } as const;
  await bridge.operations.carryOut(asked, async () => ({ state: 'void', why: 'a secret of the owner’s' }));
  await bridge.operations.carryOut({ ...asked, name: 'rebindFarmhand' }, async () => ({
    state: 'void',
    why: 'the disk is full',
  }));
  const operationId = expect.any(String);
  expect(told).toEqual([
    { operationId, command: 'createKey', state: 'void' },
    { operationId, command: 'rebindFarmhand', state: 'void', reason: 'the disk is full' },
  ]);
});

async function carriedOut() {
  return { state: 'applied', outcome: { outcome: 'applied', before: {}, after: {} } } as const;
}
