import type { Command } from '@steward/shared/bridge/commands';
import { type GameEvent, isGameEventKind } from '@steward/shared/bridge/events';
import type { LinkStatus } from '@steward/shared/bridge/protocol';
import type { EventLog } from './events/event-log.ts';
import type { RunOptions } from './operations/game-commands.ts';
import type { CommandResult } from './operations/operation.ts';
import type { Operations } from './operations/operations.ts';
import type { BridgeState, ShownSection, TickState } from './state/bridge-state.ts';

/** Between two of the game's events something may be missing: the link says when. */
export interface LinkEvent {
  readonly kind: 'link';
  readonly status: LinkStatus;
  readonly why: string;
}

/** A step of the invite code's way has come into another state. */
interface InviteStepEvent {
  readonly kind: 'inviteWay';
  readonly step: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** The invite codes that work from now on. */
export interface CodesEvent {
  readonly kind: 'inviteCodes';
  readonly platform?: string;
  readonly network?: string;
}

export type BridgeEvent = GameEvent | LinkEvent | InviteStepEvent | CodesEvent;

/** Whether the game told it, and not this side of the bridge. */
export function isOfTheGame(event: BridgeEvent): event is GameEvent {
  return isGameEventKind(event.kind);
}

/** The only way between the control API and a game. */
export interface GameBridge {
  start(): Promise<void>;
  /** Stops a game that the bridge started, gracefully, and lets go of any other. */
  stop(): Promise<void>;
  /** The last state pushed. Never waits for a game. */
  readonly state: BridgeState;
  readonly ticks: TickState;
  /** As of when all of these are known to be as they are shown; undefined before anything was. */
  pushedAt(sections: readonly ShownSection[]): Date | undefined;
  /** Calls back with each new state; returns what ends it. */
  follow(listener: (state: BridgeState) => void): () => void;
  /** Resolves when there is an outcome, when there will be none, or when it is unknown; within the deadlines at the latest. */
  run(command: Command, options?: RunOptions): Promise<CommandResult>;
  /** What became of each command, and what this service does itself under the same rules. */
  readonly operations: Pick<Operations, 'find' | 'list' | 'follow' | 'carryOut' | 'restore'>;
  readonly events: EventLog<BridgeEvent>;
}
