import { join } from 'node:path';
import type { DrainPhase } from '@steward/shared/drain';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { Changes } from '@steward/testing/changes';
import type { Applied } from '@steward/testing/game/command-runner';
import { emptyFarm, slot } from '@steward/testing/game/empty-farm';
import { ScriptedGame } from '@steward/testing/game/scripted-game';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { DrainFile } from '../../src/drain/drain-file.ts';
import { Drains } from '../../src/drain/drains.ts';
import { usherOver } from '../../src/drain/usher.ts';
import { announcerOver } from '../../src/game/announcer.ts';
import type { BridgeMode, ModeEvents } from '../../src/game/modes/mode.ts';
import type { CommandResult } from '../../src/game/operations/operation.ts';
import { isConnected } from '../../src/game/state/bridge-state.ts';
import { MemoryStore } from '../game/stage/memory-store.ts';
import { buildBridge, MemoryMode, quiet, settled } from '../game/stage/stage.ts';

/** A game that goes when it has been asked to. */
class StageGame extends ScriptedGame {
  asked: () => void = () => {};

  protected override told(applied: Applied): void {
    super.told(applied);
    if (applied.name === 'stop' && applied.outcome.outcome === 'applied') this.asked();
  }
}

abstract class StageMode {
  readonly initial = { status: 'starting', why: 'the stage is empty' } as const;
  readonly game: StageGame;
  protected readonly memory = new MemoryMode();
  #end: ReturnType<MemoryMode['connect']> | undefined;

  constructor(game: StageGame) {
    this.game = game;
  }

  async start(events: ModeEvents): Promise<void> {
    await this.memory.start(events);
    this.comes();
  }

  get isThere(): boolean {
    return this.#end !== undefined;
  }

  comes(): void {
    if (this.isThere) return;
    this.#end = this.memory.connect(undefined, true);
    void this.game.connect(this.#end.stream);
  }

  /** With its machine: what it is told from now on reaches nobody, and the connection stays. */
  vanishes(): void {
    this.#end?.input.removeAllListeners('data').resume();
    this.#end = undefined;
  }

  async goes(): Promise<void> {
    this.#end?.cut();
    // As a process, it is gone once its last words were read.
    await settled();
    this.#end = undefined;
  }
}

/** A game of this service's own: it comes when it is started, and goes when it is asked to. */
class OwnGame extends StageMode implements BridgeMode {
  readonly afterLoss = 'restarting';
  #isHeld = false;

  async stop(askToStop: () => Promise<void>): Promise<void> {
    if (!this.isThere) return;
    await askToStop();
    await this.goes();
  }

  async hold(askToStop: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    await this.stop(askToStop);
    if (!this.#isHeld) this.comes();
  }

  giveBack(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.comes();
  }

  /** Its process is started again by itself, unless it is held. */
  isStartedAgain(): void {
    if (!this.#isHeld) this.comes();
  }
}

/** A game that somebody else has started, and that dials in. */
class ForeignGame extends StageMode implements BridgeMode {
  readonly afterLoss = 'gone';

  async stop(): Promise<void> {}

  isStartedAgain(): void {
    this.comes();
  }
}

const everything = ['save', 'stop', 'announce', 'kick'] as const;

interface Left {
  readonly directory: ReturnType<typeof temporaryDirectory>;
  readonly clock: ManualClock;
  readonly store: MemoryStore;
  readonly game: StageGame;
}

export interface DrainStageOptions {
  readonly capabilities?: readonly string[];
  readonly players?: number;
  /** Whether the service starts the game. */
  readonly isOurs?: boolean;
  readonly isDiskFull?: boolean;
  /** Where nothing is read and written, no time passes but what a test lets pass. */
  readonly hasDisk?: boolean;
  /** The process before this one, which has left what it has kept. */
  readonly after?: Left;
  readonly clock?: ManualClock;
}

export type DrainStage = Awaited<ReturnType<typeof drainStage>>;

/** Drains over a real bridge and a scripted game that the service runs itself; time goes by when it is told to. */
export async function drainStage({
  capabilities = everything,
  players = 0,
  isOurs = true,
  isDiskFull = false,
  hasDisk = true,
  after,
  clock = after?.clock ?? new ManualClock(),
}: DrainStageOptions = {}) {
  const directory = after?.directory ?? temporaryDirectory();
  const farmhands = [1, 2, 3, 4].map((number) => ({
    ...slot(String(number), `Player ${number}`),
    isCustomized: true,
  }));
  const game =
    after?.game ??
    new StageGame({
      capabilities,
      state: { ...emptyFarm(), farm: { farmId: 'Meadow_1', saveGeneration: 1 }, farmhands },
    });
  const mode = isOurs ? new OwnGame(game) : new ForeignGame(game);
  const store = after?.store ?? new MemoryStore();
  const bridge = buildBridge({ mode, clock, store });
  const told: StewardEvent[] = [];
  const changes = new Changes();
  bridge.events.follow(({ event }) => {
    told.push(event);
    changes.told();
  });
  const file = new DrainFile(join(directory.path, isDiskFull ? 'missing' : '', 'drain.json'), {
    newerFiles: { met: () => ({ path: '', reason: '' }) as never },
    clock,
    log: quiet,
  });
  const nowhere = {
    read: async () => undefined,
    write: async () => {},
    remove: async () => {},
    close: () => {},
  };
  const drains = new Drains({
    bridge,
    usher: usherOver(bridge, announcerOver(bridge)),
    file: hasDisk ? file : nowhere,
    clock,
    log: quiet,
  });
  // Who was there is gone with the game.
  const nobodyIsThere = () => {
    for (const each of game.state.farmhands) each.isOnline = false;
    game.state.players = [];
    game.state.status.playerCount = 0;
  };
  let wasThere = false;
  bridge.follow(({ link }) => {
    const isThere = isConnected(link.status);
    if (isOurs && wasThere && !isThere) nobodyIsThere();
    wasThere = isThere;
  });
  game.asked = () => {
    if (isOurs) return;
    nobodyIsThere();
    void mode.goes();
  };
  await drains.load();
  await bridge.start();
  drains.goOn();
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
    directory,
    store,
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
      return objects({ connectionId: 'L_1' })() === undefined;
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
        await settled();
      }
      await calm();
    },
    calm,
    /** The game is gone without a word, and with it who was there. */
    async crashes(): Promise<void> {
      nobodyIsThere();
      await mode.goes();
      await calm();
    },
    async isStartedAgain(): Promise<void> {
      // One that was refused dials again.
      if (!isConnected(bridge.state.link.status)) await mode.goes();
      mode.isStartedAgain();
      await calm();
    },
    /** Of a game that is somebody else's: whoever plays it plays on. */
    async isLost(): Promise<void> {
      await mode.goes();
      await calm();
    },
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

/** What came of it so far: told under way, it is asked for again. */
export function stateOf(result: CommandResult): unknown {
  return result.kind === 'operation' ? result.operation.state : result.kind;
}

/** Asks for a drain, which goes on; resolves once that is told. */
export async function begun(stage: DrainStage, asked: Parameters<typeof stage.drains.start>[0]) {
  const answer = stage.drains.start(asked, undefined);
  await stage.isIn(asked.when === 'now' ? 'counting' : 'waiting');
  await stage.pass(1_000);
  const result = await answer;
  const id = result.kind === 'operation' ? result.operation.id : '';
  return { result, operation: () => stage.bridge.operations.find(id) };
}
