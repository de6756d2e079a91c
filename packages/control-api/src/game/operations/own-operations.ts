import type { Clock } from '@steward/service-kit/clock';
import type { JournalEntry } from '@steward/shared/bridge/claims';
import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import type { Answer } from '../rpc/answer.ts';
import type { BridgeLimits } from '../state/limits.ts';
import type { CommandResult } from './command-result.ts';
import type { GameLink } from './game-link.ts';
import type { OperationCommandName } from './operation-commands.ts';
import type { Operations } from './operations.ts';
import { type OwnershipCommand, ownershipCommands } from './ownership-commands.ts';
import { Settlement } from './settlement.ts';

/** Nothing was changed, because it could not be written down. */
export interface Unkept {
  readonly outcome: 'unkept';
  readonly why: string;
}

/** Whoever carries this service's own commands out, and remembers which, in the same write as their effect. */
export interface OwnHands {
  /** The farm that they act on at present; without one there is nothing to do. */
  readonly farmId: string | undefined;
  carryOut(id: string, name: OperationCommandName, params: object): Promise<CommandOutcome | Unkept>;
  journal(ids: readonly string[]): readonly JournalEntry[];
}

/** Commands that never reach a game, under the rules of those that do: claimed once, kept over restarts, told again. */
export class OwnOperations {
  readonly #operations: Operations;
  readonly #settlement: Settlement;
  #link: GameLink | undefined;
  #hands: OwnHands | undefined;
  readonly #acting = new Set<Promise<void>>();

  constructor(operations: Operations, clock: Clock, limits: BridgeLimits) {
    this.#operations = operations;
    this.#settlement = new Settlement(operations, clock, limits, 'own');
  }

  attach(hands: OwnHands): void {
    this.#hands = hands;
    this.#link = linkTo(hands, this.#operations, (acting) => {
      this.#acting.add(acting);
      void acting.then(() => this.#acting.delete(acting));
    });
  }

  /** To be called when the hands have taken up a farm: what a crash left open is settled by their journal. */
  settle(): void {
    this.#settlement.connected(this.#link);
  }

  /** Resolves when what was begun has been carried out. */
  async stop(): Promise<void> {
    this.#settlement.connected(undefined);
    await Promise.all(this.#acting);
  }

  run(command: OwnershipCommand, idempotencyKey?: string): Promise<CommandResult> {
    const ready = this.#hands?.farmId === undefined ? undefined : this.#link;
    return this.#operations.run(command, ready, { idempotencyKey });
  }
}

function linkTo(hands: OwnHands, operations: Operations, begun: (acting: Promise<void>) => void): GameLink {
  const link: GameLink = {
    capabilities: new Set(Object.keys(ownershipCommands)),
    get farmId() {
      return hands.farmId;
    },
    send(name, params, settle) {
      const id = String(params['command']);
      begun(act(id, name, params).then(settle));
      return () => {};
    },
    journal: async (ids) => hands.journal(ids),
  };
  const act = async (id: string, name: OperationCommandName, params: object): Promise<Answer> => {
    const { granted } = await operations.claim(id, link);
    const done = granted ? await hands.carryOut(id, name, params) : undefined;
    if (done?.outcome === 'unkept') await operations.unkept(id, done.why);
    const isTold = done !== undefined && done.outcome !== 'unkept';
    const result: CommandOutcome = isTold ? done : { outcome: 'void' };
    return { kind: 'result', result };
  };
  return link;
}
