import type { HelloParams } from '@steward/shared/bridge/hello';
import type { LinkStatus } from '@steward/shared/bridge/protocol';
import type { SectionName, StateParams } from '@steward/shared/bridge/state';
import type { MendableTrouble, Trouble } from '@steward/shared/problems/trouble';

/** What answers are made from: sections, and the settings of a server that tells of them. */
export type ShownSection = Exclude<SectionName, 'farm' | 'networks'> | 'settings';

/** Which game is, or last was, at the other end. */
export type GameInfo = Pick<HelloParams, 'protocol' | 'game' | 'capabilities'>;

/** What keeps chat lines from passing while the game is there. */
export interface ChatLost extends MendableTrouble {
  readonly since: Date;
}

/**
 * All that a read may need, as an immutable whole: taking it never waits. Sections outlive the game that pushed them;
 * `isCurrent` says whether they are of now.
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

/** A remedy stands here where there is another than for all that stand like this. */
export interface LinkState extends Trouble {
  readonly status: LinkStatus;
  readonly since: Date;
}

/** Whether there is a game at the other end, however slow it is. */
export function isConnected(status: LinkStatus): boolean {
  return status === 'live' || status === 'slow' || status === 'frozen';
}

/** From the day's end until the next may begin. */
export function isSaving({ link, sections: { status } }: Pick<BridgeState, 'link' | 'sections'>): boolean {
  return isConnected(link.status) && status?.isOnline === true && !status.dayTransitionComplete;
}

/** Whether what is shown is of the game that is there: until one that has come has told everything, some of it is of the one before. */
export function isCurrent({ link, isWhole }: Pick<BridgeState, 'link' | 'isWhole'>): boolean {
  return isConnected(link.status) && isWhole;
}

/**
 * Whether the game that is there has no farm loaded, as at its title. A server that rules the game itself tells of none: of that
 * one this says nothing.
 */
export function hasNoFarm(state: Pick<BridgeState, 'link' | 'isWhole' | 'sections'>): boolean {
  return isCurrent(state) && state.sections.farm === null;
}

/**
 * A server behind the bridge that sees to its own joins, owners, lobbies and settings: this service leaves those alone and
 * shows what that server says of them.
 */
export interface SelfHosted {
  /** As it is called in a sentence. */
  readonly name: string;
  /** The invite codes as that server shows them. */
  readonly codes: { readonly platform?: string; readonly network?: string };
  /** As many of its settings as it tells. */
  readonly settings: {
    readonly game: Readonly<Record<string, unknown>>;
    readonly server: Readonly<Record<string, unknown>>;
  };
  /** Where what cannot be done from here is done instead, in a sentence, by the name of the command. */
  readonly instead: Readonly<Record<string, string>>;
}

/** The remedies where there is nothing that anybody has to do. */
export const passes = 'Nothing to do: it recovers by itself';
export const triesAgain = 'Nothing to do: Steward retries by itself';

const startGame = 'Start the game, or check its log';

const remedies: Readonly<Partial<Record<LinkStatus, string>>> = {
  starting: passes,
  waiting: startGame,
  slow: passes,
  frozen: 'Check the game; restart it if this does not change',
  gone: startGame,
  restarting: 'Nothing to do: it starts again by itself. Check its log if this keeps happening',
};

/** What there is to do about a game that stands like this. */
export function remedyOf({ status, remedy }: Pick<LinkState, 'status' | 'remedy'>): string | undefined {
  return remedy ?? remedies[status];
}
