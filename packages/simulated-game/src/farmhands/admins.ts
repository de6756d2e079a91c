import { identityOf, parseConnectionId } from '@steward/shared/connection-id';
import type { EventStream } from '../events/farm-event.ts';
import type { Session } from '../world/sessions.ts';
import type { World } from '../world/world.ts';

/** The farm's admins: whom a command made one, and whom the settings name, whichever network vouches for them. */
export class Admins {
  readonly #world: World;
  readonly #events: EventStream;
  readonly #named: () => readonly string[];

  constructor(world: World, events: EventStream, named: () => readonly string[]) {
    this.#world = world;
    this.#events = events;
    this.#named = named;
  }

  joined({ farmhandId, connectionId }: Session): void {
    const connection = parseConnectionId(connectionId);
    const identity = connection.ok ? identityOf(connection.value) : undefined;
    if (identity !== undefined && this.#named().includes(identity.id.toString())) this.grant(farmhandId);
  }

  grant(farmhandId: string): void {
    const { state } = this.#world;
    if (farmhandId === state.host.id || state.admins.includes(farmhandId)) return;
    state.admins.push(farmhandId);
    this.#events.emit({ type: 'admin', farmhandId });
  }
}
