import type { Command } from '@steward/shared/bridge/commands';
import type { AskedName, AskedResult } from '@steward/shared/bridge/methods';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import type { OutputLine } from './modes/game-output.ts';
import type { RunOptions } from './operations/game-commands.ts';
import type { CommandResult } from './operations/operation.ts';
import type { Operations } from './operations/operations.ts';
import type { BridgeState, ShownSection, TickState } from './state/bridge-state.ts';
import type { Events } from './state/event-log.ts';
import type { TickPace } from './state/tick-meter.ts';

/** Who may have the game away; each for as long as it needs, whoever else does meanwhile. */
export type GameHolder = 'restore' | 'drain';

/** The only way between the control API and a game. */
export interface GameBridge {
  start(): Promise<void>;
  /** Stops a game that the bridge started, gracefully, and lets go of any other. */
  stop(): Promise<void>;
  /**
   * Has the game away until it is given back, for the reason that everybody is told: stops one that is started here as `stop` does.
   * Rejects with `game-running` where one runs that is somebody else's to stop; then nothing is held. Until then no game is let in.
   * Asked again, it says the other reason; for a restore it rejects where such a one has shown itself meanwhile, and goes on to hold.
   */
  holdGame(holder: GameHolder, why: MendableTrouble): Promise<void>;
  /** Whether it comes back: not while somebody else holds it, too. */
  giveGameBack(holder: GameHolder): boolean;
  /** Whether this service starts the game: of any other, somebody else knows when it comes back. */
  readonly startsGame: boolean;
  /** What a game that is started here has printed, its newest line last; undefined where somebody else has its output. */
  readonly output: readonly OutputLine[] | undefined;
  /** The last state pushed. Never waits for a game. */
  readonly state: BridgeState;
  readonly ticks: TickState;
  /** How the game has ticked since this was last asked, for the one who asks; undefined while none ticks. */
  takePace(): TickPace | undefined;
  /** As of when all of these are known to be as they are shown; undefined before anything was. */
  pushedAt(sections: readonly ShownSection[]): Date | undefined;
  /** Calls back with each new state; returns what ends it. */
  follow(listener: (state: BridgeState) => void): () => void;
  /** Resolves when there is an outcome, when there will be none, or when it is unknown; within the deadlines at the latest. */
  run(command: Command, options?: RunOptions): Promise<CommandResult>;
  /** Asks the game what no command is needed for; rejects with the Problem that says why there is no answer. */
  ask<Name extends AskedName>(name: Name): Promise<AskedResult<Name>>;
  /** What became of each command, and what this service does itself under the same rules. */
  readonly operations: Pick<
    Operations,
    'find' | 'list' | 'follow' | 'recall' | 'carryOut' | 'restore' | 'decide' | 'remember'
  >;
  readonly events: Events<StewardEvent>;
}
