import type { FarmhandSlot } from '@steward/shared/bridge/state';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { BridgeState } from '../game/state/bridge-state.ts';
import { decisionOn, type JoinGateParts } from './join-gate.ts';
import { arrived, eachFarmhand, isAbandoned, isUnstamped, withoutDoubt, withRecord } from './map-changes.ts';
import type { OwnershipMap } from './ownership-map.ts';
import type { LoadedFarm } from './reported-farm.ts';
import type { StampClearing } from './stamp-clearing.ts';
import { visitorOf } from './visitor.ts';

type Parts = Pick<JoinGateParts, 'register' | 'awaited' | 'attempts' | 'farm' | 'isEnforced' | 'log'>;

/** Keeps the map true to the farm: who has come, whose claim came to nothing, which farmhands are gone. */
export class Housekeeping {
  readonly #parts: Parts;
  readonly #stamps: StampClearing;
  /** The newest save in which each farmhand was there. */
  readonly #lastPresent = new Map<string, number>();
  /** Who was on which farmhand when it was looked at last. */
  #seen: ReadonlyMap<string, string> = new Map();
  #lookedAt: BridgeState['sections'] = {};
  /** Made into farmhands, by the game's events, since it last showed its slots: what it showed then is no longer so. */
  readonly #madeSince = new Set<string>();
  /** The connection that left each farmhand last. */
  readonly #left = new Map<string, string>();
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(parts: Parts, stamps: StampClearing) {
    this.#parts = parts;
    this.#stamps = stamps;
  }

  stateChanged({ sections, isWhole }: BridgeState): void {
    const { farm, farmhands, players } = this.#lookedAt;
    const isSame = sections.farm === farm && sections.farmhands === farmhands && sections.players === players;
    if (sections.farmhands !== farmhands) this.#madeSince.clear();
    const { awaited, register } = this.#parts;
    if (!isWhole || (isSame && !awaited.any && !register.wantsWriting && register.map !== undefined)) return;
    this.#lookedAt = sections;
    this.#lookOnce();
  }

  happened({ type, data }: StewardEvent): void {
    switch (type) {
      case 'players.joined':
        this.#left.delete(data.playerId);
        void this.#inOrder(({ slots }, map) => {
          const slot = slots.find(({ id }) => id === data.playerId);
          return this.#arrival(map, data.playerId, slot, data.connectionId);
        });
        return;
      case 'farmhands.customized':
        this.#madeSince.add(data.playerId);
        return;
      case 'players.left':
        // Whoever has a name has made a farmhand, also where the game has told nothing else of it yet.
        if (data.playerName !== '') this.#madeSince.add(data.playerId);
        this.#left.set(data.playerId, data.connectionId);
        this.#parts.attempts.ended(data.connectionId);
        this.#parts.awaited.ended(data.playerId, data.connectionId);
        this.#lookOnce();
        return;
      case 'farmhands.abandoned':
        this.#madeSince.delete(data.playerId);
        // Whoever comes back may have been approved before the game is done with the connection from before.
        this.#parts.awaited.ended(data.playerId, this.#left.get(data.playerId));
        this.#left.delete(data.playerId);
        this.#lookOnce();
        return;
      default:
    }
  }

  /** The game need not tell its slots anew after an event: one that was never shown as taken is what it was. */
  #lookOnce(): void {
    if (this.#looking !== undefined) this.#again = true;
    else this.#looking = this.#look();
  }

  /** Saves are counted from an earlier number again, and the map is another. */
  wentBack(): void {
    this.#lastPresent.clear();
    this.#lookedAt = {};
  }

  /** Resolves when what was told so far has been looked at. */
  get done(): Promise<void> {
    return this.#looking ?? Promise.resolve();
  }

  async #look(): Promise<void> {
    do {
      this.#again = false;
      await this.#inOrder((farm, map) => this.#tidied(farm, map));
    } while (this.#again);
    this.#looking = undefined;
  }

  async #inOrder(change: (farm: LoadedFarm, map: OwnershipMap) => OwnershipMap): Promise<void> {
    const { register, farm: loaded, log } = this.#parts;
    // The game may be gone before the disk has come to its last words.
    const lastReported = loaded();
    await register
      .exclusively(async () => {
        const farm = loaded() ?? lastReported;
        if (farm === undefined) return;
        const opened = await register.open(farm);
        if (!opened.ok) return;
        const map = change(farm, opened.value);
        if (map !== opened.value || register.wantsWriting) await register.commitOrRetry(map);
      })
      .catch((error) => log.error({ err: error }, 'the ownership map cannot be kept up to date'));
  }

  #tidied(farm: LoadedFarm, before: OwnershipMap): OwnershipMap {
    const { awaited } = this.#parts;
    for (const { id, connectionId } of farm.players) awaited.ended(id, connectionId);
    const here = new Set(farm.players.map(({ id }) => id));
    // A game may show a slot as taken only once its player has made a farmhand of it.
    const isTaken = (id: string) => here.has(id) || this.#madeSince.has(id);
    let map = eachFarmhand(
      this.#newcomers(farm, before),
      farm.slots,
      ({ id }) => id,
      (alone, slot) => this.#settled(alone, slot, isTaken),
    );
    for (const slot of farm.slots)
      if (!isTaken(slot.id) && this.#hasStaleStamp(map, slot)) this.#stamps.clear(slot.id);
    if (farm.isComplete) map = this.#withoutMissing(farm, map);
    return map;
  }

  /** An abandoned claim is cleared; whose record there is, of that farmhand there is no doubt. */
  #settled(before: OwnershipMap, slot: FarmhandSlot, isTaken: (id: string) => boolean): OwnershipMap {
    const isGivenUp = !isTaken(slot.id) && isAbandoned(before, slot, this.#parts.awaited.isAwaited);
    const map = isGivenUp ? withRecord(before, slot.id, undefined) : before;
    return map.farmhands[slot.id] === undefined ? map : withoutDoubt(map, slot.id);
  }

  /** Players whom no event told of: they came while this service was not there. */
  #newcomers(farm: LoadedFarm, before: OwnershipMap): OwnershipMap {
    const arrivals = farm.players.filter(({ id, connectionId }) => this.#seen.get(id) !== connectionId);
    this.#seen = new Map(farm.players.map(({ id, connectionId }) => [id, connectionId]));
    if (arrivals.length === 0) return before;
    const slots = new Map(farm.slots.map((slot) => [slot.id, slot]));
    return eachFarmhand(
      before,
      arrivals,
      ({ id }) => id,
      (alone, { id, connectionId }) =>
        alone.farmhands[id] === undefined ? this.#arrival(alone, id, slots.get(id), connectionId) : alone,
    );
  }

  #arrival(
    map: OwnershipMap,
    farmhandId: string,
    slot: FarmhandSlot | undefined,
    connectionId: string,
  ): OwnershipMap {
    const { isEnforced, log } = this.#parts;
    const visitor = visitorOf(connectionId);
    if (isEnforced() && slot !== undefined) {
      const { decision, reason } = decisionOn(map, slot, visitor, { asks: 'show' });
      if (decision === 'refuse') {
        log.warn(
          { farmhandId, path: visitor.path, reason },
          'the game gave somebody a farmhand that is not theirs',
        );
        return map;
      }
    }
    return arrived(map, farmhandId, visitor, isEnforced());
  }

  /** The record rules; a stamp beside it would count again once the record is gone. */
  #hasStaleStamp(map: OwnershipMap, { id, stamp, isOnline, isCustomized }: FarmhandSlot): boolean {
    if (stamp === undefined || isOnline || this.#parts.awaited.isAwaited(id)) return false;
    const record = map.farmhands[id];
    if (record?.owner === 'released' || !isCustomized || isUnstamped(map, id)) return true;
    // A rebind whose `clearStamp` was cut off; a stamp is a network id, so of other owners nobody can tell.
    return record?.owner === 'network' && stamp !== record.id;
  }

  /**
   * A farmhand that is gone may come back with an older save, and its owner with it: the record goes when a save has
   * been made without the farmhand.
   */
  #withoutMissing(farm: LoadedFarm, before: OwnershipMap): OwnershipMap {
    const present = new Set(farm.slots.map(({ id }) => id));
    for (const id of present)
      this.#lastPresent.set(id, Math.max(this.#lastPresent.get(id) ?? 0, farm.saveGeneration));
    const { farmhands, doubts, unstamped = [] } = before;
    const remembered = new Set([...Object.keys(farmhands), ...(doubts?.farmhands ?? []), ...unstamped]);
    return eachFarmhand(before, remembered, String, (map, id) => {
      const lastPresent = this.#lastPresent.get(id) ?? Math.max(map.saveGeneration, farm.saveGeneration);
      this.#lastPresent.set(id, lastPresent);
      if (present.has(id) || farm.saveGeneration <= lastPresent) return map;
      this.#lastPresent.delete(id);
      return withRecord(map, id, undefined);
    });
  }
}
