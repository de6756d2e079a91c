import { chatLimits } from '@steward/shared/chat/limits';

/** The limits of `/ws` that hold for every server. */
const fixedChatLimits = {
  authWindowMs: chatLimits.authWindowMs,
  messageBytes: chatLimits.messageBytes,
  /** Parts of one message; a client of this size of message has no reason for more. */
  fragments: 64,
  /** Pieces of an unfinished message as they come from the network: a dripping client is cut off. */
  pieces: 512,
  /** A client may send as much at once as it may in this many seconds. */
  burstSeconds: 4,
  /** Messages dropped in a row for coming too fast, before the connection is not worth keeping. */
  droppedMessages: 200,
  /** Messages of all clients that wait for the game; the game's other commands need room too. */
  sendsInHand: 64,
  /** How long at the most a message of a player waits for others that come close behind the last one. */
  gatherMs: 2,
  gatherBytes: 64 * 1024,
  /** How long the other side may take to answer a close. */
  closeMs: 3_000,
} as const;

/** The limits that an operator sets; see the rows `WS_…` of the configuration. */
export interface OperatorChatLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly unauthenticated: number;
  readonly messagesPerSecond: number;
  readonly unreadBytes: number;
  readonly pingMs: number;
}

/** Every limit of `/ws`, in one place. */
export type ChatRelayLimits = OperatorChatLimits & {
  readonly [Name in keyof typeof fixedChatLimits]: number;
};

export function allChatLimits(operator: OperatorChatLimits): ChatRelayLimits {
  return { ...fixedChatLimits, ...operator };
}
