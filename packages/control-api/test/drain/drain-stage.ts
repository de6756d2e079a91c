import { join } from 'node:path';
import type { DrainPhase } from '@steward/shared/drain';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { Changes } from '@steward/testing/changes';
import { emptyFarm, slot } from '@steward/testing/game/empty-farm';
import { ScriptedGame } from '@steward/testing/game/scripted-game';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { DrainFile } from '../../src/drain/drain-file.ts';
import { Drains } from '../../src/drain/drains.ts';
import { usherOver } from '../../src/drain/usher.ts';
import { announcerOver } from '../../src/game/announcer.ts';
import type { BridgeMode, ModeEvents } from '../../src/game/modes/mode.ts';
import { MemoryStore } from '../game/stage/memory-store.ts';
import { buildBridge, MemoryMode, quiet, settled } from '../game/stage/stage.ts';

/** A game of this service's own: it comes when it is started, and goes when it is asked to. */
class OwnGame implements BridgeMode {
  readonly initial = { status: 'starting', why: 'the stage is empty' } as const;
  readonly afterLoss = 'restarting';
  readonly game: ScriptedGame;
  readonly #memory = new MemoryMode();
  #end: ReturnType<MemoryMode['connect']> | undefined;
  #isHeld = false;

  constructor(game: ScriptedGame) {
    this.game = game;
  }

  async start(events: ModeEvents): Promise<void> {
    await this.#memory.start(events);
    this.#come();
  }

  async stop(askToStop: () => Promise<void>): Promise<void> {
    await this.#go(askToStop);
  }

  async hold(askToStop: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    await this.#go(askToStop);
  }

  giveBack(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#come();
  }

  get isThere(): boolean {
    return this.#end !== undefined;
  }

  #come(): void {
    this.#end = this.#memory.connect();
    void this.game.connect(this.#end.stream);
  }

  async #go(askToStop: () => Promise<void>): Promise<void> {
    await askToStop();
    this.#end?.cut();
    // As a process, it is gone once its last words were read.
    await settled();
    this.#end = undefined;
    // Who was there is gone with it.
    for (const each of this.game.state.farmhands) each.isOnline = false;
    this.game.state.players = [];
  }
}

const everything = ['save', 'stop', 'announce', 'kick'] as const;

export interface DrainStageOptions {
  readonly capabilities?: readonly string[];
  readonly players?: number;
}

/** Drains over a real bridge and a scripted game that the service runs itself; time goes by when it is told to. */
export async function drainStage({ capabilities = everything, players = 0 }: DrainStageOptions = {}) {
  const directory = temporaryDirectory();
  const clock = new ManualClock();
  const farmhands = [1, 2, 3, 4].map((number) => ({
    ...slot(String(number), `Player ${number}`),
    isCustomized: true,
  }));
  const game = new ScriptedGame({
    capabilities,
    state: { ...emptyFarm(), farm: { farmId: 'Meadow_1', saveGeneration: 1 }, farmhands },
  });
  const mode = new OwnGame(game);
  const store = new MemoryStore();
  const bridge = buildBridge({ mode, clock, store });
  const told: StewardEvent[] = [];
  const changes = new Changes();
  bridge.events.follow(({ event }) => {
    told.push(event);
    changes.told();
  });
  const file = new DrainFile(join(directory.path, 'drain.json'), {
    met: () => ({ path: '', reason: '' }) as never,
  });
  const drains = new Drains({
    bridge,
    usher: usherOver(bridge, announcerOver(bridge)),
    file,
    clock,
    log: quiet,
  });
  await bridge.start();
  await calm();

  async function calm(): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) await settled();
  }
  const phases = () => told.flatMap((event) => (event.type === 'server.draining' ? [event.data.phase] : []));
  const present = () => game.state.players.map(({ id }) => id);
  const show = async () => {
    game.state.status.playerCount = game.state.players.length;
    game.tell();
    await calm();
  };
  const stage = {
    bridge,
    clock,
    game,
    mode,
    told,
    drains,
    present,
    /** Whether the gate lets this player in now. */
    async knocks(): Promise<boolean> {
      const objects = await drains.objections.look();
      return objects({ connectionId: 'L_1' }) === undefined;
    },
    async comes(id: string): Promise<void> {
      const farmhand = game.state.farmhands.find((each) => each.id === id);
      if (farmhand === undefined || farmhand.isOnline || !mode.isThere) return;
      farmhand.isOnline = true;
      game.state.players = [
        ...game.state.players,
        { id, name: farmhand.name, connectionId: 'L_1', isAdmin: false },
      ];
      await show();
    },
    async leaves(id: string): Promise<void> {
      for (const each of game.state.farmhands) if (each.id === id) each.isOnline = false;
      game.state.players = game.state.players.filter((each) => each.id !== id);
      await show();
    },
    /** The night of the real game: it saves by itself, whoever is there. */
    async dayEnds(): Promise<void> {
      if (!mode.isThere) return;
      game.happens({ kind: 'dayEnded', day: 1, season: 'spring', year: 1 });
      game.save();
      game.happens({ kind: 'saved', saveGeneration: game.state.farm?.saveGeneration ?? 0 });
      await show();
    },
    async pass(ms: number): Promise<void> {
      // In steps, as what is begun at one moment may wait for another.
      for (let left = ms; left > 0; left -= 1_000) {
        clock.advance(Math.min(left, 1_000));
        if (mode.isThere) game.tick();
        await calm();
      }
    },
    calm,
    /** What is written to the disk takes time of its own. */
    isIn: (phase: DrainPhase) =>
      changes.until(() => phases().at(-1) === phase || undefined, {
        missing: () => `it is ${drains.standing?.phase}, not ${phase}`,
      }),
    isOver: () =>
      changes.until(() => drains.standing === undefined || undefined, {
        missing: () => `it is still ${drains.standing?.phase}`,
      }),
    phases: () => told.flatMap((event) => (event.type === 'server.draining' ? [event.data.phase] : [])),
    announced: () => game.said.map(({ message }) => String(message)),
    get generation() {
      return game.state.farm?.saveGeneration ?? 0;
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
  for (let number = 1; number <= players; number += 1) await stage.comes(String(number));
  return stage;
}
