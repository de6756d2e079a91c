import { closeCodes } from '@steward/shared/chat/limits';
import type { Breach, Closing } from './chat-counts.ts';

/** Why this service ends a connection; a client that breaks the protocol itself is told so by the channel. */
export type OwnClosing = Exclude<Closing, Breach>;

const { policy, restart, tryLater } = closeCodes;

/** What the client is told, as close code and reason. */
export const closings: Readonly<Record<OwnClosing, { code: number; reason: string }>> = {
  'bad-token': { code: policy.code, reason: 'Authentication failed' },
  'not-authenticated': { code: policy.code, reason: 'Authenticate first' },
  'auth-window': { code: policy.code, reason: 'Authentication timeout' },
  'unauthenticated-limit': { code: tryLater.code, reason: 'Too many wait to authenticate' },
  'slow-reader': { code: tryLater.code, reason: 'The client does not read' },
  'message-rate': { code: policy.code, reason: 'Too many messages' },
  'dead-peer': { code: policy.code, reason: 'No sign of life' },
  stopping: { code: restart.code, reason: 'The server is stopping' },
};
