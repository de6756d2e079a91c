import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { Command } from '@steward/shared/bridge/commands';
import type { AskedName, AskedResult } from '@steward/shared/bridge/methods';
import type { LinkStatus } from '@steward/shared/bridge/protocol';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { Problem } from '@steward/shared/problems/problem';
import type { MendableTrouble, Trouble } from '@steward/shared/problems/trouble';
import { eventOfLink, eventOfOperation, kickedBy } from './bridge-events.ts';
import type { GameBridge, GameHolder } from './game-bridge.ts';
import { gameUnavailable } from './game-unavailable.ts';
import { GameCommands, type RunOptions, Settlement } from './operations/game-commands.ts';
import type { CommandResult } from './operations/operation.ts';
import { type OperationStore, Operations } from './operations/operations.ts';
import type { BridgeState, GameInfo, SelfHosted, ShownSection, TickState } from './state/bridge-state.ts';
import type { Events } from './state/event-log.ts';
import type { BridgeLimits } from './state/limits.ts';
import { type Pace, PaceNews } from './state/pace-news.ts';
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
  protected isStarted = false;
  readonly #log: Log;
  readonly #limits: BridgeLimits;
  readonly #pace: PaceNews;

  constructor(parts: CoreParts, { status, why, selfHosted, keepsJournal }: OtherEnd) {
    const { store, clock, limits, log, events, newCommandId } = parts;
    this.#log = log;
    this.#limits = limits;
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
    this.operations.follow((operation, isNews) => {
      const event = isNews ? eventOfOperation(operation) : undefined;
      if (event !== undefined) this.events.append(event);
      const kicked = isNews ? kickedBy(operation) : undefined;
      if (kicked !== undefined) this.events.append(kicked);
    });
    this.commands = new GameCommands({
      operations: this.operations,
      limits,
      log,
      game: () => this.keeper.state.link,
      unsettled: () => this.settlement.look(),
    });
    this.settlement = new Settlement(this.commands, clock, limits);
    this.#pace = new PaceNews({ clock, limits, tell: (pace, reason) => this.#tellPace(pace, reason) });
  }

  abstract start(): Promise<void>;
  abstract stop(): Promise<void>;
  abstract holdGame(holder: GameHolder, why: MendableTrouble): Promise<void>;
  abstract giveGameBack(holder: GameHolder): boolean;
  abstract get startsGame(): boolean;
  abstract get output(): GameBridge['output'];
  abstract get ticks(): TickState;
  abstract takePace(): TickPace | undefined;
  abstract pushedAt(sections: readonly ShownSection[]): Date | undefined;
  abstract ask<Name extends AskedName>(name: Name): Promise<AskedResult<Name>>;
  abstract run(command: Command, options?: RunOptions): Promise<CommandResult>;

  get state(): BridgeState {
    return this.keeper.state;
  }

  follow(listener: (state: BridgeState) => void): () => void {
    return this.keeper.follow(listener);
  }

  protected notNow(detail: string): Problem {
    const seconds = Math.ceil(this.#limits.retryAfterMs / 1_000);
    return gameUnavailable(`${detail}; try again later`, {}, seconds);
  }

  /** Tells how a game stands that is not simply there: in the state, in the log and as an event. */
  protected say(
    status: Exclude<LinkStatus, 'live'>,
    trouble: Trouble,
    event: StewardEvent = eventOfLink(status, trouble),
  ): void {
    // Before what others tell of its consequences.
    this.events.append(event);
    this.stand(status, trouble);
  }

  /** The same without the event, which is told already or by somebody who knows more. */
  protected stand(status: Exclude<LinkStatus, 'live'>, trouble: Trouble): void {
    this.#pace.ended();
    this.#note(status, trouble);
  }

  /** Of one that was never started there is nothing to tell: where no service runs, each command has a bridge, too. */
  protected sayStopping(): void {
    if (this.isStarted) this.say('stopped', { reason: 'the control API is stopping' });
  }

  /** How a game that is there ticks from now on. */
  protected paced(pace: Pace, reason: string): void {
    this.#note(pace, { reason });
    this.#pace.changed(pace, reason);
  }

  /** A game is there that was not. */
  protected welcome(game: GameInfo, reason: string): void {
    this.events.append({ type: 'game.connected', data: { reason } });
    this.keeper.connected(game, reason);
  }

  #note(status: LinkStatus, trouble: Trouble): void {
    const { reason, remedy } = trouble;
    const level = isAmiss(status, trouble) ? 'warn' : 'info';
    this.#log[level]({ status, remedy }, `game: ${status}: ${reason}`);
    this.keeper.link(status, trouble);
  }

  #tellPace(pace: Pace, reason: string): void {
    this.events.append(
      pace === 'live' ? { type: 'game.recovered', data: { reason } } : eventOfLink(pace, { reason }),
    );
  }
}

/** Whether somebody may have to do something. One that waits is only waited for where nothing else is to be done. */
function isAmiss(status: LinkStatus, { remedy }: Trouble): boolean {
  return status === 'gone' || status === 'frozen' || (status === 'waiting' && remedy !== undefined);
}
