import { ManualClock } from '@steward/testing/manual-clock';
import type { JsonRpcGameBridge } from '../../../src/game/json-rpc/json-rpc-game-bridge.ts';
import { isFinal } from '../../../src/game/operations/operation.ts';
import { MemoryStore } from './memory-store.ts';
import { ModelGame } from './model-game.ts';
import { buildBridge, type GameEnd, MemoryMode, settled } from './stage.ts';

export const steps = [
  'run a',
  'run b',
  'run without key',
  'to game',
  'to api',
  'duplicate to game',
  'duplicate to api',
  'swap to game',
  'swap to api',
  'half a second',
  'claim deadline',
  'outcome deadline',
  'freeze',
  'thaw',
  'crash',
  'drop',
  'dial',
  'save',
  'busy',
  'restart api',
] as const;

export type Step = (typeof steps)[number];

/** An application that had happened before a caller was told `void` may be undone by a crash, never repeated. */
interface Voided {
  readonly id: string;
  readonly applicationsThen: number;
}

/** A bridge and a game with every message between them in a test's hand. */
export class Interleaving {
  readonly game = new ModelGame();
  readonly store = new MemoryStore();
  readonly voided: Voided[] = [];
  readonly applied = new Set<string>();
  /** Commands whose callers have not been answered by the bridge as it runs now. */
  unanswered = 0;
  readonly #clock = new ManualClock();
  #mode = new MemoryMode();
  #bridge: JsonRpcGameBridge = this.#build();
  #end: GameEnd | undefined;
  #inbox: string[] = [];
  #frozen = false;

  async start(): Promise<void> {
    await this.#bridge.start();
    await this.#dial();
  }

  async step(step: Step): Promise<void> {
    await this.#act(step);
    await settled();
    this.#collect();
  }

  /** The game is back and well, every message arrives: nothing may stay open. */
  async heal(): Promise<void> {
    this.#frozen = false;
    this.game.saving = false;
    for (let round = 0; round < 200 && !(round > 30 && this.isSettled); round += 1) {
      if (this.#end === undefined || this.#end.closed) await this.#dial();
      while (this.#inbox.length > 0) this.game.read(this.#inbox.shift() ?? '');
      while (this.game.outbox.length > 0) this.#end?.say(this.game.outbox.shift() ?? '');
      await settled();
      this.#collect();
      if (round % 5 === 4) this.#pass(1_000);
    }
  }

  get isSettled(): boolean {
    return this.unanswered === 0 && [...this.store.kept.values()].every((kept) => isFinal(kept));
  }

  async #act(step: Step): Promise<void> {
    switch (step) {
      case 'run a':
        return this.#run('a');
      case 'run b':
        return this.#run('b');
      case 'run without key':
        return this.#run(undefined);
      case 'to game':
        return this.#toGame(true);
      case 'duplicate to game':
        return this.#toGame(false);
      case 'to api':
        return this.#toApi(true);
      case 'duplicate to api':
        return this.#toApi(false);
      case 'swap to game':
        this.#inbox = swapped(this.#inbox);
        return;
      case 'swap to api':
        this.game.outbox = swapped(this.game.outbox);
        return;
      case 'half a second':
        return this.#pass(500);
      case 'claim deadline':
        return this.#pass(5_000);
      case 'outcome deadline':
        return this.#pass(10_000);
      case 'freeze':
        this.#frozen = true;
        return;
      case 'thaw':
        this.#frozen = false;
        return;
      case 'crash':
        this.#cut();
        return this.game.crash();
      case 'drop':
        this.#cut();
        return this.game.lost();
      case 'dial':
        return this.#end === undefined ? this.#dial() : undefined;
      case 'save':
        return this.game.save();
      case 'busy':
        this.game.saving = !this.game.saving;
        return;
      case 'restart api':
        return this.#restart();
    }
  }

  #build(): JsonRpcGameBridge {
    return buildBridge({ mode: this.#mode, clock: this.#clock, store: this.store });
  }

  #run(key: string | undefined): void {
    const bridge = this.#bridge;
    this.unanswered += 1;
    const options = key === undefined ? {} : { idempotencyKey: key };
    void bridge.run({ name: 'setTime', params: { value: 900 } }, options).then((result) => {
      if (bridge !== this.#bridge) return;
      this.unanswered -= 1;
      if (result.kind !== 'operation') return;
      const { id, state } = result.operation;
      if (state === 'void') this.voided.push({ id, applicationsThen: this.game.applications.length });
      if (state === 'applied') this.applied.add(id);
    });
  }

  /** Ticks are not what is played with here: they come whenever the game's loop runs. */
  #pass(ms: number): void {
    this.#clock.advance(ms);
    if (!this.#frozen) this.#end?.say(this.game.ticked());
  }

  #toGame(once: boolean): void {
    const [line] = this.#inbox;
    if (this.#frozen || line === undefined) return;
    if (once) this.#inbox.shift();
    this.game.read(line);
  }

  #toApi(once: boolean): void {
    const [line] = this.game.outbox;
    if (line === undefined) return;
    if (once) this.game.outbox.shift();
    this.#end?.say(line);
  }

  async #dial(): Promise<void> {
    this.#end = this.#mode.connect();
    this.#inbox = [];
    this.game.lost();
    this.game.dial();
    await settled();
  }

  #cut(): void {
    this.#end?.cut();
    this.#end = undefined;
    this.#inbox = [];
  }

  async #restart(): Promise<void> {
    this.#cut();
    this.game.lost();
    await settled();
    // The old process is gone between two turns: what it has not kept is lost with it.
    this.#mode = new MemoryMode();
    this.unanswered = 0;
    this.#bridge = this.#build();
    await this.#bridge.start();
  }

  #collect(): void {
    for (const message of this.#end?.heard() ?? []) this.#inbox.push(JSON.stringify(message));
  }
}

function swapped(lines: readonly string[]): string[] {
  const [first, second, ...rest] = lines;
  return first === undefined || second === undefined ? [...lines] : [second, first, ...rest];
}
