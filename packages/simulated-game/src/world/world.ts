import type { GameSettings } from '@steward/shared/bridge/settings';
import type { EventStream } from '../events/farm-event.ts';
import { type FarmState, foundFarm, newFarmhandId } from '../saves/farm-state.ts';
import type { KeptSave, SaveStore } from '../saves/save-store.ts';
import { Random } from '../time/random.ts';

export interface WorldParts {
  readonly events: EventStream;
  readonly seed: string;
  /** Tells this opening of a saved farm from all others: the same seed does not tell the same story twice. */
  readonly opening: string;
  readonly saves: SaveStore;
  /** What a new farm is made from; a farm that has a save is that farm. */
  readonly settings: GameSettings;
}

/** The farm as it is now, and the save that it goes back to when it crashes. */
export class World {
  readonly #events: EventStream;
  /** Where all chance of this opening comes from. */
  readonly random: Random;
  readonly #farmhandIds: Random;
  readonly #saves: SaveStore;
  #state: FarmState;

  constructor({ events, seed, opening, saves, settings }: WorldParts) {
    this.#events = events;
    this.#saves = saves;
    const saved = saves.load();
    this.#state = saved ?? foundFarm(settings, new Random(`${seed}/founding`));
    this.random = new Random(saved === undefined ? `${seed}/opening 1` : `${seed}/opening ${opening}`);
    this.#farmhandIds = this.random.fork('farmhands');
  }

  get state(): FarmState {
    return this.#state;
  }

  newFarmhandId(): string {
    return newFarmhandId(this.#farmhandIds);
  }

  save(): void {
    this.#state.generation += 1;
    this.#saves.write(this.#state);
    this.#events.emit({ type: 'saved', generation: this.#state.generation });
  }

  /** A farm that there has not been yet. It is on the disk with its first save. */
  found(settings: GameSettings): void {
    const ids = new Set(this.#saves.list().map(({ state }) => state.farmId));
    do this.#state = foundFarm(settings, this.random);
    while (ids.has(this.#state.farmId));
    this.#saves.choose(this.#state.farmId);
  }

  /** False where there is no such save. */
  goTo(farmId: string): boolean {
    const known = this.#saves.list().find(({ state }) => state.farmId === farmId);
    if (known === undefined) return false;
    this.#saves.choose(farmId);
    this.#state = known.state;
    return true;
  }

  get saves(): readonly KeptSave[] {
    return this.#saves.list();
  }

  /** What happened since the last save never happened. */
  goBack(): void {
    const saved = this.#saves.load();
    if (saved === undefined) throw new Error('there is no save to go back to');
    this.#state = saved;
    this.#events.emit({ type: 'crashed', backToGeneration: saved.generation });
  }
}
