import type { FarmhandSlot } from '@steward/shared/bridge/state';
import { nextTile } from '../cabins/cabins.ts';
import type { EventStream } from '../events/farm-event.ts';
import type { Farmhand, FarmState } from '../saves/farm-state.ts';
import type { Sessions } from '../world/sessions.ts';
import type { World } from '../world/world.ts';

export type SlotPhase = 'fresh' | 'being-customised' | 'customised';

export type Deletion = 'deleted' | 'not-found' | 'online';

/** The farm's character slots. Each has a cabin, and there is always one that a new player can take. */
export class Slots {
  readonly #world: World;
  readonly #sessions: Sessions;
  readonly #events: EventStream;

  constructor(world: World, sessions: Sessions, events: EventStream) {
    this.#world = world;
    this.#sessions = sessions;
    this.#events = events;
  }

  get all(): readonly Farmhand[] {
    return this.#world.state.farmhands;
  }

  find(farmhandId: string): Farmhand | undefined {
    return this.all.find(({ id }) => id === farmhandId);
  }

  phase(slot: Farmhand): SlotPhase {
    if (slot.customised) return 'customised';
    return this.#sessions.of(slot.id) === undefined ? 'fresh' : 'being-customised';
  }

  /** Builds a cabin with a slot when none is free, or none that counts; `counts` may pass over reserved ones. */
  keepOneFree(counts: (farmhandId: string) => boolean = () => true): void {
    if (!this.all.some((slot) => this.phase(slot) === 'fresh' && counts(slot.id))) this.build(1);
  }

  /** As many as asked for, or as many as the map has spots for: then false. */
  build(count: number): boolean {
    const { state } = this.#world;
    for (let built = 0; built < count; built++) {
      const tile = nextTile(state);
      if (tile === undefined) return false;
      const id = this.#world.newFarmhandId();
      state.farmhands.push({ id, name: '', customised: false });
      state.cabins.push({ tileX: tile.x, tileY: tile.y, ownerId: id });
    }
    return true;
  }

  /** The character data has arrived: from now on this is somebody's farmhand. */
  customise(farmhandId: string, name: string): void {
    const slot = this.find(farmhandId);
    if (slot === undefined) return;
    slot.customised = true;
    slot.name = name;
  }

  /** The player quit in the middle of creation: the slot is for anyone again. */
  clearAbandoned(farmhandId: string): void {
    const slot = this.find(farmhandId);
    if (slot === undefined || this.phase(slot) !== 'fresh' || slot.stamp === undefined) return;
    delete slot.stamp;
    this.#events.emit({ type: 'claim-abandoned', farmhandId });
  }

  /** Claims that nobody was there to give up: their players were in creation when the farm crashed. */
  clearAllAbandoned(): void {
    for (const { id } of this.all) this.clearAbandoned(id);
  }

  /** The farmhand, the cabin and all that is in it. */
  delete(farmhandId: string): Deletion {
    const slot = this.find(farmhandId);
    if (slot === undefined) return 'not-found';
    if (this.#sessions.of(farmhandId) !== undefined) return 'online';
    const { state } = this.#world;
    state.farmhands = state.farmhands.filter(({ id }) => id !== farmhandId);
    state.cabins = state.cabins.filter(({ ownerId }) => ownerId !== farmhandId);
    state.placedCabins = state.placedCabins.filter((id) => id !== farmhandId);
    state.admins = state.admins.filter((id) => id !== farmhandId);
    this.#events.emit({ type: 'farmhand-deleted', farmhandId, name: slot.name });
    this.keepOneFree();
    return 'deleted';
  }
}

/** A slot in the words of the bridge. */
export function slotView(slot: Farmhand, state: FarmState, sessions: Sessions): FarmhandSlot {
  return {
    id: slot.id,
    name: slot.name,
    isCustomized: slot.customised,
    isOnline: sessions.of(slot.id) !== undefined,
    isAdmin: state.admins.includes(slot.id),
    ...(slot.stamp === undefined ? {} : { stamp: slot.stamp }),
  };
}
