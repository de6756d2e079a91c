import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { Command } from '@steward/shared/bridge/commands';
import type { LinkStatus } from '@steward/shared/bridge/protocol';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { eventOfLink } from './bridge-events.ts';
import type { Events } from './events/event-log.ts';
import type { GameBridge } from './game-bridge.ts';
import { GameCommands, type RunOptions, Settlement } from './operations/game-commands.ts';
import type { CommandResult } from './operations/operation.ts';
import { type OperationStore, Operations } from './operations/operations.ts';
import type { BridgeState, SelfHosted, ShownSection, TickState } from './state/bridge-state.ts';
import type { BridgeLimits } from './state/limits.ts';
import { StateKeeper } from './state/state-keeper.ts';
import type { TickPace } from './state/tick-meter.ts';

export interface CoreParts {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly limits: BridgeLimits;
  readonly log: Log;
  readonly events: Events<StewardEvent>;
  readonly newCommandId?: () => string;
}

/** What is known of the game at the other end before it is there. */
interface OtherEnd {
  readonly status: LinkStatus;
  readonly why: string;
  readonly selfHosted?: SelfHosted;
  readonly keepsJournal: boolean;
}

/** What a bridge is, whatever speaks at its other end: the state, the operations and the events of one game at a time. */
export abstract class BridgeCore implements GameBridge {
  readonly events: Events<StewardEvent>;
  readonly operations: Operations;
  protected readonly keeper: StateKeeper;
  protected readonly commands: GameCommands;
  protected readonly settlement: Settlement;
  readonly #log: Log;

  constructor(parts: CoreParts, { status, why, selfHosted, keepsJournal }: OtherEnd) {
    const { store, clock, limits, log, events, newCommandId } = parts;
    this.#log = log;
    this.events = events;
    this.keeper = new StateKeeper(clock, status, why, selfHosted);
    this.operations = new Operations({
      store,
      clock,
      limits,
      log,
      keepsJournal,
      unsettled: () => this.settlement.look(),
      ...(newCommandId === undefined ? {} : { newId: newCommandId }),
    });
    this.commands = new GameCommands({
      operations: this.operations,
      limits,
      log,
      game: () => this.keeper.state.link,
      unsettled: () => this.settlement.look(),
    });
    this.settlement = new Settlement(this.commands, clock, limits);
  }

  abstract start(): Promise<void>;
  abstract stop(): Promise<void>;
  abstract get ticks(): TickState;
  abstract takePace(): TickPace | undefined;
  abstract pushedAt(sections: readonly ShownSection[]): Date | undefined;
  abstract run(command: Command, options?: RunOptions): Promise<CommandResult>;

  get state(): BridgeState {
    return this.keeper.state;
  }

  follow(listener: (state: BridgeState) => void): () => void {
    return this.keeper.follow(listener);
  }

  /** Tells how the game stands from now on: in the state, in the log and as an event. */
  protected say(status: LinkStatus, why: string, remedy?: string): void {
    this.#log.info({ status, remedy }, `game: ${status}: ${why}`);
    const { status: before } = this.keeper.state.link;
    this.keeper.link(status, { reason: why, remedy });
    this.events.append(
      eventOfLink(before, status, { reason: why, ...(remedy === undefined ? {} : { remedy }) }),
    );
  }
}
