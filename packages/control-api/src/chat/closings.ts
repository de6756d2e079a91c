import { closeCodes } from '@steward/shared/chat/rules';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';

/** Why a connection was not let in. */
export type Refusal = 'connections' | 'connections-per-address' | 'wrong-keys';

/** Why the server closed a connection. */
export type Closing =
  | 'bad-token'
  | 'keys-unreadable'
  | 'insufficient-scope'
  | 'key-ended'
  | 'not-authenticated'
  | 'auth-window'
  | 'unauthenticated-limit'
  | 'slow-reader'
  | 'past-unreadable'
  | 'message-rate'
  | 'dead-peer'
  | 'too-big'
  | 'fragments'
  | 'protocol'
  | 'stopping';

/** How a client can break the protocol: the channel tells it so by itself. */
export type Breach = Extract<Closing, 'too-big' | 'fragments' | 'protocol'>;

/** What has happened on `/ws` since the start. */
export class ChatCounts {
  opened = 0;
  authenticated = 0;
  relayed = 0;
  received = 0;
  dropped = 0;
  resumed = 0;
  gaps = 0;
  readonly refused: Record<Refusal, number> = {
    connections: 0,
    'connections-per-address': 0,
    'wrong-keys': 0,
  };
  readonly sent: Record<'delivered' | 'refused' | 'unknown', number> = {
    delivered: 0,
    refused: 0,
    unknown: 0,
  };
  readonly closed: Record<Closing, number> = {
    'bad-token': 0,
    'keys-unreadable': 0,
    'insufficient-scope': 0,
    'key-ended': 0,
    'not-authenticated': 0,
    'auth-window': 0,
    'unauthenticated-limit': 0,
    'slow-reader': 0,
    'past-unreadable': 0,
    'message-rate': 0,
    'dead-peer': 0,
    'too-big': 0,
    fragments: 0,
    protocol: 0,
    stopping: 0,
  };
}

/** Why this service ends a connection; a client that breaks the protocol itself is told so by the channel. */
export type OwnClosing = Exclude<Closing, Breach>;

const { policy, keyEnded, restart, tryLater } = closeCodes;

/** Where a key is not wrong, and opens nothing all the same. */
export const keyClosings: Partial<Record<ProblemCode, OwnClosing>> = {
  'key-ended': 'key-ended',
  'state-unreadable': 'keys-unreadable',
};

/** What the client is told, as close code and reason. */
export const closings: Readonly<Record<OwnClosing, { code: number; reason: string }>> = {
  'bad-token': { code: policy.code, reason: 'Authentication failed' },
  'keys-unreadable': { code: tryLater.code, reason: 'The key cannot be checked' },
  'insufficient-scope': { code: policy.code, reason: 'Insufficient scope' },
  'key-ended': { code: keyEnded.code, reason: 'The key has ended' },
  'not-authenticated': { code: policy.code, reason: 'Authenticate first' },
  'auth-window': { code: policy.code, reason: 'Authentication timeout' },
  'unauthenticated-limit': { code: tryLater.code, reason: 'Too many clients wait to authenticate' },
  'slow-reader': { code: tryLater.code, reason: 'The client does not read' },
  'past-unreadable': { code: tryLater.code, reason: 'What was missed cannot be read' },
  'message-rate': { code: policy.code, reason: 'Too many messages' },
  'dead-peer': { code: policy.code, reason: 'No answer to a ping' },
  stopping: { code: restart.code, reason: 'The server is stopping' },
};
