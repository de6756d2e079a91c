import type { HelloParams } from '@steward/shared/bridge/hello';
import type { SectionName, StateParams } from '@steward/shared/bridge/state/sections';
import type { LinkState } from './link-state.ts';
import type { SelfHosted } from './self-hosted.ts';

/** What answers are made from: sections, and the settings of a server that tells of them. */
export type ShownSection = Exclude<SectionName, 'farm' | 'networks'> | 'settings';

/** Which game is, or last was, at the other end. */
export type GameInfo = Pick<HelloParams, 'protocol' | 'game' | 'capabilities'>;

/** What keeps chat lines from passing while the game is there. */
export interface ChatLost {
  readonly why: string;
  readonly remedy: string;
  readonly since: Date;
}

/**
 * All that a read may need, as an immutable whole: taking it never waits. Sections outlive the game that pushed them;
 * `link` says whether they are still current.
 */
export interface BridgeState {
  readonly link: LinkState;
  readonly game?: GameInfo;
  readonly sections: StateParams;
  /** Whether every section has come on the present connection. */
  readonly isWhole: boolean;
  /** Grows with each push of the game; 0 before the first. */
  readonly version: number;
  /** There where another server rules the game, and not this service. */
  readonly selfHosted?: SelfHosted;
  /** There where the chat has a connection of its own, and that is lost. */
  readonly chatLost?: ChatLost | undefined;
  /** When the game last pushed something, by the bridge's own clock. */
  readonly pushedAt?: Date;
  /** The same of its statistics, whose uptime counts from then. */
  readonly statsAt?: Date;
}

/** What the ticks tell; it changes far too often to be part of the state. */
export interface TickState {
  readonly count?: number;
  readonly ageMs?: number;
}
