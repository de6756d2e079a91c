import type { Command } from '@steward/shared/bridge/commands';
import { type GameEvent, isGameEventKind } from '@steward/shared/bridge/events';
import type { CodesEvent, WayEvent } from '../invite-way/way-event.ts';
import type { EventLog } from './events/event-log.ts';
import type { BridgeState, TickState } from './link/bridge-state.ts';
import type { LinkStatus } from './link/link-state.ts';
import type { CommandResult } from './operations/command-result.ts';
import type { Operation } from './operations/operation.ts';
import type { OwnOperations } from './operations/own-operations.ts';

/** Between two of the game's events something may be missing: the link says when. */
export interface LinkEvent {
  readonly kind: 'link';
  readonly status: LinkStatus;
  readonly why: string;
}

export type BridgeEvent = GameEvent | LinkEvent | WayEvent | CodesEvent;

/** Whether the game told it, and not this side of the bridge. */
export function isOfTheGame(event: BridgeEvent): event is GameEvent {
  return isGameEventKind(event.kind);
}

export interface RunOptions {
  /** Requests under one key are one request; see `CommandResult` for what a reused key gives. */
  readonly idempotencyKey?: string;
}

/** The only way between the control API and a game. */
export interface GameBridge {
  start(): Promise<void>;
  /** Stops a game that the bridge started, gracefully, and lets go of any other. */
  stop(): Promise<void>;
  /** The last state pushed. Never waits for a game. */
  readonly state: BridgeState;
  readonly ticks: TickState;
  /** Calls back with each new state; returns what ends it. */
  follow(listener: (state: BridgeState) => void): () => void;
  /** Resolves when there is an outcome, when there will be none, or when it is unknown; within the deadlines at the latest. */
  run(command: Command, options?: RunOptions): Promise<CommandResult>;
  /** What this service is told to do without a game; its operations are among the others. */
  readonly own: OwnOperations;
  operation(id: string): Operation | undefined;
  readonly events: EventLog<BridgeEvent>;
}
