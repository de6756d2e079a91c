import { type Clock, every } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { Events, LoggedEvent } from '../../game/state/event-log.ts';
import { parseCursor } from '../../game/state/event-log.ts';
import type { FarmView } from '../../status/farm-view.ts';
import { type StateReadId, shownBy, stateReadIds } from './state-reads.ts';

/** What changes together is told together: a page hears of it well within the time in which a person would notice. */
const gatherMs = 100;
/** Between two looks at what changes without a word of the game or an event: trouble with the disk, the database or a file. */
const lookMs = 5_000;

interface StateNewsParts {
  readonly bridge: Pick<GameBridge, 'follow' | 'events'>;
  readonly view: () => FarmView;
  readonly clock: Pick<Clock, 'after' | 'date'>;
}

type Listener = (told: LoggedEvent<StewardEvent>) => void;

/** Tells which of the prepared reads are others now: what a page shows it can ask for anew at once, and need not ask again and again. */
export class StateNews implements Pick<Events<StewardEvent>, 'follow'> {
  readonly #parts: StateNewsParts;
  readonly #listeners = new Set<Listener>();
  #told: FarmView;
  #isComing = false;
  #endLooking = () => {};

  constructor(parts: StateNewsParts) {
    this.#parts = parts;
    this.#told = parts.view();
    parts.bridge.follow(() => this.#lookSoon());
    // Owners and invite codes change with an event, and not with the game's state.
    parts.bridge.events.follow(() => this.#lookSoon());
  }

  /** Looks by itself for as long as anybody listens. */
  follow(listener: Listener): () => void {
    if (this.#listeners.size === 0) this.#endLooking = every(this.#parts.clock, lookMs, () => this.#look());
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#endLooking();
    };
  }

  #lookSoon(): void {
    if (this.#isComing) return;
    this.#isComing = true;
    this.#parts.clock.after(gatherMs, () => {
      this.#isComing = false;
      this.#look();
    });
  }

  #look(): void {
    const { view, clock, bridge } = this.#parts;
    const now = view();
    if (now === this.#told) return;
    const reads = changedBetween(this.#told, now);
    this.#told = now;
    if (reads.length === 0) return;
    const { head: cursor } = bridge.events;
    const place = parseCursor(cursor);
    const number = place.ok ? place.value.number : 0;
    const event: StewardEvent = { type: 'state.changed', data: { reads } };
    for (const listener of this.#listeners) listener({ cursor, number, at: clock.date(), event });
  }
}

function changedBetween(before: FarmView, after: FarmView): StateReadId[] {
  return stateReadIds.filter((id) => {
    const [old, now] = [partsOf(id, before), partsOf(id, after)];
    return now.some((part, index) => part !== old[index]);
  });
}

/** Everything that a read is made from, compared by identity; numbers that grow with each push are left out. */
function partsOf(id: StateReadId, { state, ...beside }: FarmView): readonly unknown[] {
  const { sections, link, isWhole, game, chatLost, selfHosted } = state;
  const told = shownBy[id].map((name) => (name === 'settings' ? selfHosted : sections[name]));
  const shown = [...told, link, isWhole];
  if (id === 'getStatus')
    return [...shown, sections.networks, game, chatLost, selfHosted, ...Object.values(beside)];
  if (id === 'getInviteCode') return [...shown, selfHosted, beside.invites];
  return id === 'listFarmhands' ? [...shown, selfHosted, beside.owners] : shown;
}
