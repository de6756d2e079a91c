import { StewardError } from './error.ts';
import { type Farm, farmOf } from './farm.ts';
import type { StewardOptions } from './options.ts';
import { worldOf } from './world.ts';

/** The API at `url`. It connects to nothing yet: each call is a request of its own, and each loop over events a connection. */
export function steward(options: StewardOptions): Farm {
  return farmOf(options, worldOf(options));
}

export type { Chat, ChatReceipt } from './chat.ts';
export type { ClientErrorCode, ErrorCode } from './error.ts';
export type { EventsOptions } from './events.ts';
export type { Farm } from './farm.ts';
export type * from './generated/api.ts';
export type * from './options.ts';
export { StewardError };
