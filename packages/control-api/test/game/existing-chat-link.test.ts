import { EventEmitter, once } from 'node:events';
import { ExistingServer } from '@steward/existing-server-double/existing-server';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receiptOf, sendChatOver } from '../../src/chat/send-chat.ts';
import { ExistingGameBridge } from '../../src/game/existing/existing-game-bridge.ts';
import type { BridgeState } from '../../src/game/state/bridge-state.ts';
import { readinessOf } from '../../src/http/bodies/health.ts';
import { statusOf } from '../../src/http/bodies/status.ts';
import { measureFarm } from '../../src/http/metrics/metrics.ts';
import { inviteStatusOf } from '../../src/invites/invite-status.ts';
import type { FarmView } from '../../src/status/farm-view.ts';
import { startPrefixProxy } from '../prefix-proxy.ts';
import { existingParts } from './stage/existing-parts.ts';
import { quiet } from './stage/stage.ts';

async function server(key: string): Promise<ExistingServer> {
  const started = await ExistingServer.start({ key, snapshotMs: 10 });
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

async function bridgeTo(origin: string, key: string | undefined) {
  const warnings = new EventEmitter<{ warning: [string] }>();
  const log = { ...quiet, warn: (_facts: object, text: string) => void warnings.emit('warning', text) };
  const bridge = new ExistingGameBridge({ ...existingParts(origin, key), log });
  await bridge.start();
  onTestFinished(() => bridge.stop());
  const until = async (wanted: (state: BridgeState) => boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = bridge.follow((state) => wanted(state) && resolve());
    if (wanted(bridge.state)) resolve();
    return promise.finally(end);
  };
  return { bridge, until, warnings };
}

/** What is told of a bridge: its status, whether it is ready, and the measurement of its chat. */
async function toldOf(bridge: ExistingGameBridge) {
  const { state } = bridge;
  const now = new Date();
  const facts = {
    bridge: state,
    sidecar: undefined,
    ticket: { kind: 'unasked' },
    lobbyLink: { kind: 'idle' },
  } as const;
  const view: FarmView = {
    instance: '',
    state,
    invites: inviteStatusOf(facts, undefined, now),
    owners: { isEnforced: false, farmId: undefined, map: undefined, problems: [] },
    disk: undefined,
    store: undefined,
    keysLost: undefined,
    emptySince: undefined,
    lists: undefined,
    draining: undefined,
    drainRemedy: undefined,
    newerFiles: [],
  };
  const registry = new Registry();
  measureFarm(registry, bridge);
  const [, connected] = /^steward_game_chat_connected (\d)$/m.exec(await registry.metrics()) ?? [];
  return { status: statusOf(view), readiness: readinessOf(view, now), connected };
}

describe('a chat link that is dead', () => {
  it.each([
    ['has a key here and none there', '', 'k', 'needs no key', 'Unset EXISTING_API_KEY'],
    ['is cut by a proxy before a server with a key', 'k', 'k', 'answers 401', 'pass WebSockets on /ws'],
    ['is cut by a proxy before one without', '', undefined, 'answers 404', 'pass WebSockets on /ws'],
  ])('%s: told with how to fix it, and nobody is kept out', async (what, keyThere, keyHere, why, remedy) => {
    const { origin } = await server(keyThere);
    const proxy = await startPrefixProxy(origin, '/farm');
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const way = what.includes('proxy') ? `${proxy.origin}/farm` : origin;
    const { bridge, until } = await bridgeTo(way, keyHere);
    await until(({ isWhole, chatLost }) => isWhole && chatLost !== undefined);
    const { status, readiness, connected } = await toldOf(bridge);
    const obstacle = {
      code: 'no-chat',
      reason: expect.stringContaining(why),
      remedy: expect.stringContaining(remedy),
      since: expect.any(String),
    };
    expect(status).toMatchObject({ isJoinable: true, obstacles: [obstacle] });
    expect(readiness).toMatchObject({ ready: true, obstacles: [obstacle] });
    expect(connected).toBe('0');
    const say = await bridge.run({ name: 'sendChat', params: { author: 'Bot', message: 'hi' } });
    expect(say).toMatchObject({
      operation: {
        state: 'refused',
        outcome: { code: 'not-ready', message: expect.stringContaining(remedy) },
      },
    });
  });

  it('is told of once in the log, and forgotten when it is there again or the server is gone', async () => {
    const there = await server('k');
    const { bridge, until, warnings } = await bridgeTo(there.origin, 'k');
    await until(({ isWhole }) => isWhole);
    while (there.chat.listeners === 0) await new Promise((resolve) => there.farm.once('snapshot', resolve));
    const told = once(warnings, 'warning');
    there.chat.drop();
    expect(String(await told)).toContain('the chat of the existing server is gone');
    await until(({ chatLost }) => chatLost === undefined);
    const { status, connected } = await toldOf(bridge);
    expect([status.obstacles, connected]).toEqual([[], '1']);
    there.chat.drop();
    await until(({ chatLost }) => chatLost !== undefined);
    await there[Symbol.asyncDispose]();
    await until(({ link }) => link.status === 'gone');
    expect(bridge.state.chatLost).toBeUndefined();
    expect((await toldOf(bridge)).status.obstacles).toMatchObject([
      { code: 'no-game', remedy: expect.stringContaining('EXISTING_URL') },
    ]);
  });
});

it('a line of emoji is cut by that server’s own count, and the receipt says so', async () => {
  const { chat, farm, origin } = await server('k');
  const { bridge, until } = await bridgeTo(origin, 'k');
  await until(({ isWhole }) => isWhole);
  while (chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
  const send = sendChatOver(bridge, 1);
  const say = async () => receiptOf(await send({ author: '🌾'.repeat(20), message: '🌾'.repeat(300) }));
  // That server listens to a line a moment before this side knows, and on a busy machine its pong comes late.
  let receipt = await say();
  while (receipt.status !== 'delivered') {
    await new Promise((resolve) => setImmediate(resolve));
    receipt = await say();
  }
  expect(receipt).toEqual({ status: 'delivered', truncated: true, length: 225 });
  expect(farm.inGameChat.at(-1)).toBe(`(Web) ${'🌾'.repeat(15)}…: ${'🌾'.repeat(224)}…`);
});

it.each([
  ['wrong', 'it refuses EXISTING_API_KEY'],
  [undefined, 'EXISTING_API_KEY is not set'],
])('a server that refuses the key %s is no game that must be started', async (key, why) => {
  const { origin } = await server('k');
  const { bridge, until } = await bridgeTo(origin, key);
  await until(({ link }) => link.reason.includes(why));
  expect((await toldOf(bridge)).status.obstacles).toMatchObject([
    { code: 'no-game', remedy: 'Set EXISTING_API_KEY to the API_KEY of that server' },
  ]);
});
