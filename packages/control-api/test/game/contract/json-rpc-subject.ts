import { systemClock } from '@steward/service-kit/clock';
import type { CommandName } from '@steward/shared/bridge/commands';
import { emptyFarm, slot } from '@steward/testing/game/empty-farm';
import { ScriptedGame } from '@steward/testing/game/scripted-game';
import { JsonRpcGameBridge } from '../../../src/game/json-rpc/json-rpc-game-bridge.ts';
import { bridgeLimits } from '../../../src/game/state/limits.ts';
import { memoryEvents } from '../stage/memory-events.ts';
import { MemoryStore } from '../stage/memory-store.ts';
import { MemoryMode, openFarm, quiet } from '../stage/stage.ts';
import { isLive, type Subject, stateWhere } from './subject.ts';

/** As the game's own, in hundredths. */
const limits = { ...bridgeLimits, slowMs: 50, frozenMs: 100 };
const tickMs = 10;
const capabilities: readonly CommandName[] = [
  'setRenderRate',
  'setTime',
  'grantAdmin',
  'deleteFarmhand',
  'sendChat',
];
const firstId = 620_826_087_702_429_092n;

/** The bridge over JSON-RPC, with a farm that speaks it. */
export async function jsonRpcSubject(): Promise<Subject> {
  const mode = new MemoryMode();
  const state = emptyFarm();
  const bridge = new JsonRpcGameBridge({
    mode,
    limits,
    questions: openFarm,
    store: new MemoryStore(),
    clock: systemClock,
    log: quiet,
    version: '0.1.0',
    events: memoryEvents(systemClock),
  });
  await bridge.start();
  let applied = 0;
  let ticking = true;
  let nextId = firstId;
  const dial = () => {
    const end = mode.connect();
    const farm = new ScriptedGame({ state, capabilities, otherwise: 'working' });
    void farm.connect(end.stream);
    return { end, farm };
  };
  let game = dial();
  const ticker = setInterval(() => ticking && game.farm.tick(), tickMs);
  const happened = async (kind: 'playerJoined' | 'playerLeft', id: string, name: string) => {
    state.players = state.farmhands
      .filter(({ isOnline }) => isOnline)
      .map(({ id, name, isAdmin }) => ({ id, name, connectionId: `GN_${id}`, isAdmin }));
    game.farm.tell();
    game.farm.happens({ kind, playerId: id, playerName: name, connectionId: `GN_${id}` });
    await stateWhere(
      subject,
      ({ sections }) => sections.players?.some((one) => one.id === id) === (kind === 'playerJoined'),
    );
  };
  const subject: Subject = {
    bridge,
    capabilities,
    async join(name) {
      const id = String(nextId);
      nextId += 1n;
      state.farmhands.push({ ...slot(id, name), isOnline: true });
      await happened('playerJoined', id, name);
      return id;
    },
    async leave(id) {
      const slot = state.farmhands.find((one) => one.id === id);
      if (slot === undefined) return;
      slot.isOnline = false;
      await happened('playerLeft', slot.id, slot.name);
    },
    ids: () => state.farmhands.map(({ id }) => id),
    applications: () => applied + game.farm.heard.length,
    freeze() {
      ticking = false;
    },
    thaw() {
      ticking = true;
    },
    hold() {
      game.farm.mood = 'claims-and-is-silent';
    },
    async held() {
      while (game.farm.heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
      // The claim is answered by then.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    async vanish() {
      applied += game.farm.heard.length;
      game.end.cut();
    },
    async comeBack() {
      await stateWhere(subject, ({ link }) => link.status !== 'live');
      game = dial();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(ticker);
      await bridge.stop();
    },
  };
  await stateWhere(subject, isLive);
  return subject;
}
