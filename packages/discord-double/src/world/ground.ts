import type { Clock } from '@steward/service-kit/clock';
import type { APIMessage, GatewayDispatchEvents } from 'discord-api-types/v10';
import type { Limits } from '../rules/limits.ts';
import type { Snowflakes } from '../rules/snowflakes.ts';

/** What somebody, or everybody of a role, may more or less in one channel. */
export interface Overwrite {
  readonly of: 'role' | 'member';
  readonly allow: bigint;
  readonly deny: bigint;
}

/** A channel, as far as it matters who sees it: by the ids of roles and members. */
export interface Place {
  readonly overwrites: ReadonlyMap<string, Overwrite>;
}

/** What happened, for whoever may hear of it. */
export type Happening =
  | {
      readonly name: GatewayDispatchEvents.MessageCreate | GatewayDispatchEvents.MessageUpdate;
      readonly message: APIMessage;
      readonly channel: Place;
    }
  | {
      readonly name: Exclude<
        GatewayDispatchEvents,
        GatewayDispatchEvents.MessageCreate | GatewayDispatchEvents.MessageUpdate
      >;
      readonly data: object;
      /** Heard by those who can see it. */
      readonly channel?: Place;
    };

/** What everything in this Discord stands on. */
export interface Ground {
  readonly ids: Snowflakes;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly tell: (happening: Happening) => void;
}
