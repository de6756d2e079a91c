import { type Configuration, variable } from '@steward/service-kit/configuration/variable';
import { chatLimits } from '@steward/shared/chat/rules';
import { integer } from '@steward/shared/kinds';

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

/** The limits of `/ws` that an operator may want to set. */
export const chatVariables = {
  WS_MAX_CONNECTIONS: variable(integer({ min: 1, max: 100_000 }), {
    fallback: 5_000,
    means:
      'The maximum number of listeners, on `/ws`, `/events/stream` and `/events` with `wait` together; more are refused with 503',
  }),
  WS_MAX_CONNECTIONS_PER_ADDRESS: variable(integer({ min: 1, max: 100_000 }), {
    fallback: 100,
    means: 'The maximum number of listeners from one address; more are refused with 429',
  }),
  WS_MAX_UNAUTHENTICATED: variable(integer({ min: 1, max: 100_000 }), {
    fallback: 500,
    means:
      'The maximum number of chat connections that have not sent the key yet; if there are more, the oldest is closed',
  }),
  WS_MESSAGES_PER_SECOND: variable(integer({ min: 1, max: 10_000 }), {
    fallback: 5,
    means:
      'Messages per second from one chat connection, with bursts of four times as many; more are dropped',
  }),
  WS_MAX_UNREAD_BYTES: variable(integer({ min: 65_536, max: 1_073_741_824 }), {
    fallback: 1_048_576,
    means: 'Unread bytes after which a client of `/ws` or `/events/stream` is disconnected',
  }),
  WS_PING_SECONDS: variable(integer({ min: 1, max: 3_600 }), {
    fallback: 30,
    means:
      'Seconds between pings to chat clients; a client that has not answered by the next ping is disconnected',
  }),
};

export function chatLimitsOf(configuration: Configuration<typeof chatVariables>): ChatRelayLimits {
  return allChatLimits({
    connections: configuration.WS_MAX_CONNECTIONS,
    connectionsPerAddress: configuration.WS_MAX_CONNECTIONS_PER_ADDRESS,
    unauthenticated: configuration.WS_MAX_UNAUTHENTICATED,
    messagesPerSecond: configuration.WS_MESSAGES_PER_SECOND,
    unreadBytes: configuration.WS_MAX_UNREAD_BYTES,
    pingMs: configuration.WS_PING_SECONDS * 1_000,
  });
}
