import { callsOf } from './calls.ts';
import { type Chat, chatOver } from './chat.ts';
import { type EventsOptions, follow } from './events.ts';
import type { Event, FarmOperations } from './generated/api.ts';
import type { StewardOptions } from './options.ts';
import { targetOf } from './request.ts';
import type { World } from './tries.ts';

/** All that the control API can do. */
export interface Farm extends FarmOperations {
  /**
   * What happens, as it happens. It begins when the loop does, goes on over lost connections and restarts of the server, and ends with
   * a StewardError where no other try would end otherwise: the key is wrong, has ended, or is not good for a topic.
   */
  events(options?: EventsOptions): AsyncGenerator<Event, void, undefined>;
  readonly chat: Chat;
}

/**
 * The control API that the options name.
 *
 * @internal
 */
export function farmOf(options: StewardOptions, world: World): Farm {
  const calls = callsOf(options, world);
  return {
    ...calls,
    events: (chosen = {}) => follow(chosen, calls, targetOf(options), world),
    chat: chatOver(calls),
  };
}
