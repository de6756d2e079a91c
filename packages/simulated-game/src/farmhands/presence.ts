import type { EventStream } from '../events/farm-event.ts';
import type { DayCycle } from '../world/day-cycle.ts';
import type { Sessions } from '../world/sessions.ts';
import type { Slots } from './slots.ts';

export interface PresenceParts {
  readonly sessions: Sessions;
  readonly slots: Slots;
  readonly dayCycle: DayCycle;
  readonly events: EventStream;
}

/** What becomes of farmhands who are on the farm, until they leave it. */
export class Presence {
  readonly #parts: PresenceParts;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** The client's character data are there. A new player's slot is theirs from now on; others are known by name. */
  characterArrives(farmhandId: string, name: string): void {
    const { sessions, slots, dayCycle, events } = this.#parts;
    const session = sessions.of(farmhandId);
    if (session === undefined) return;
    const customised = session.creating;
    if (customised) slots.customise(farmhandId, name);
    session.creating = false;
    session.knownName = slots.find(farmhandId)?.name ?? name;
    events.emit({ type: 'named', farmhandId, name: session.knownName, customised });
    dayCycle.playersChanged();
  }

  sleep(farmhandId: string): void {
    const { sessions, dayCycle, events } = this.#parts;
    const session = sessions.of(farmhandId);
    if (session === undefined || session.creating || session.asleep || dayCycle.isSaving) return;
    session.asleep = true;
    events.emit({ type: 'asleep', farmhandId });
    dayCycle.endDayIfAllSleep();
  }

  /** The connection is closed, whoever closed it. Who leaves in the middle of creation gives the slot back. */
  leave(farmhandId: string): void {
    const { sessions, slots, dayCycle, events } = this.#parts;
    const session = sessions.of(farmhandId);
    if (session === undefined) return;
    sessions.close(farmhandId);
    events.emit({ type: 'left', farmhandId, name: session.knownName, connectionId: session.connectionId });
    slots.clearAbandoned(farmhandId);
    dayCycle.playersChanged();
  }
}
