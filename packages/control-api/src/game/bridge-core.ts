import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/log';
import type { Command } from '@steward/shared/bridge/commands';
import type { LinkStatus } from '@steward/shared/bridge/link-status';
import { EventLog } from './events/event-log.ts';
import type { BridgeEvent, GameBridge } from './game-bridge.ts';
import type { CommandResult } from './operations/command-result.ts';
import type { Operation, SettingsFileChange } from './operations/operation.ts';
import type { OperationStore } from './operations/operation-store.ts';
import { Operations } from './operations/operations.ts';
import { OwnOperations } from './operations/own-operations.ts';
import type { RunOptions, SettingsWrittenOptions } from './operations/run-options.ts';
import { Settlement } from './operations/settlement.ts';
import type { BridgeState, ShownSection, TickState } from './state/bridge-state.ts';
import type { BridgeLimits } from './state/limits.ts';
import type { SelfHosted } from './state/self-hosted.ts';
import { StateKeeper } from './state/state-keeper.ts';

export interface CoreParts {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly limits: BridgeLimits;
  readonly log: Log;
  /** Names this process's stretch of the event log. */
  readonly epoch: string;
  readonly newCommandId?: () => string;
}

/** What is known of the game at the other end before it is there. */
interface OtherEnd {
  readonly status: LinkStatus;
  readonly why: string;
  readonly selfHosted?: SelfHosted;
  /** Without one, an unknown outcome stays unknown. */
  readonly keepsJournal: boolean;
}

/** What a bridge is, whatever speaks at its other end: the state, the operations and the events of one game at a time. */
export abstract class BridgeCore implements GameBridge {
  readonly events: EventLog<BridgeEvent>;
  readonly own: OwnOperations;
  protected readonly keeper: StateKeeper;
  protected readonly operations: Operations;
  protected readonly settlement: Settlement;
  readonly #log: Log;

  constructor(parts: CoreParts, { status, why, selfHosted, keepsJournal }: OtherEnd) {
    const { store, clock, limits, log, newCommandId } = parts;
    this.#log = log;
    this.events = new EventLog(parts.epoch, () => clock.date());
    this.keeper = new StateKeeper(clock, status, why, selfHosted);
    this.operations = new Operations({
      ...{ store, clock, limits, log },
      game: () => this.keeper.state.link,
      unsettled: keepsJournal ? () => this.settlement.look() : undefined,
      ...(newCommandId === undefined ? {} : { newId: newCommandId }),
    });
    this.settlement = new Settlement(this.operations, clock, limits, 'game');
    this.own = new OwnOperations(this.operations, clock, limits);
  }

  abstract start(): Promise<void>;
  abstract stop(): Promise<void>;
  abstract get ticks(): TickState;
  abstract toldAt(sections: readonly ShownSection[]): Date | undefined;
  abstract run(command: Command, options?: RunOptions): Promise<CommandResult>;

  get state(): BridgeState {
    return this.keeper.state;
  }

  follow(listener: (state: BridgeState) => void): () => void {
    return this.keeper.follow(listener);
  }

  recall(request: unknown, idempotencyKey: string | undefined): Promise<CommandResult> | undefined {
    return this.operations.recall(request, idempotencyKey);
  }

  settingsWritten(change: SettingsFileChange, options: SettingsWrittenOptions): Promise<Operation> {
    return this.operations.settingsWritten(change, options);
  }

  operation(id: string): Operation | undefined {
    return this.operations.find(id);
  }

  /** Tells how the game stands from now on: in the state, in the log and as an event. */
  protected say(status: LinkStatus, why: string, remedy?: string): void {
    this.#log.info({ status, remedy }, `game: ${status}: ${why}`);
    this.keeper.link(status, why, remedy);
    this.events.append({ kind: 'link', status, why });
  }
}
