import type { Secret } from '@steward/service-kit/secret';
import type { LineStream } from '@steward/shared/bridge/line-stream';
import type { LinkStatus } from '@steward/shared/bridge/protocol';
import type { GameOutput } from './game-output.ts';

/** What every mode produces: bytes from and to one game, and what the handshake on them must know. */
export interface GameStream extends LineStream {
  /** Who is at the other end, for the log. */
  readonly from: string;
  readonly helloMs: number;
  /** Set where the stream's own way in proves nothing. */
  readonly secret?: Secret;
  /** The other end can be gone, with its machine, for minutes before anybody here is told. */
  readonly canVanish?: boolean;
  /** Takes lines that are no messages, where a game's stray prints share the stream. */
  readonly strayLine?: (line: string) => void;
}

export interface ModeEvents {
  /** A game is at the other end and is expected to say `hello`. */
  readonly stream: (stream: GameStream) => void;
  /** What the mode knows of a game that is not connected. With a remedy where it is another than for all such. */
  readonly report: (status: Exclude<LinkStatus, 'live'>, why: string, remedy?: string) => void;
}

/** How games come to the bridge. Whatever the mode, the bridge sees streams. */
export interface BridgeMode {
  readonly initial: { readonly status: LinkStatus; readonly why: string };
  /** What is to be said of a game whose connection has ended; of one that is restarted the mode reports how it ended. */
  readonly afterLoss: 'gone' | 'restarting';
  /** What the game has printed, where it is started here. */
  readonly output?: Pick<GameOutput, 'lines' | 'lastWords'>;
  start(events: ModeEvents): Promise<void>;
  /** `askToStop` asks the connected game to save and exit; a mode that did not start the game leaves it running. */
  stop(askToStop: () => Promise<void>): Promise<void>;
  /** There where the game is started here: the same, and it is not started again before it is given back. */
  readonly hold?: (askToStop: () => Promise<void>) => Promise<void>;
  readonly giveBack?: () => void;
}
