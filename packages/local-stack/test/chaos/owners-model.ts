import { identityOf, parseConnectionId } from '@steward/shared/connection-id';
import type { FarmState } from '@steward/simulated-game/saves/farm-state';
import { z } from 'zod';

/** `platform 7656…`, `network 4626…`; who comes by address is everybody who does. */
export type Owner = string;

export const byAddress: Owner = 'address';

export function ownerOf(connectionId: string): Owner {
  const connection = parseConnectionId(connectionId);
  if (!connection.ok) throw new Error(`the farm let in ${connectionId}`);
  const identity = identityOf(connection.value);
  return identity === undefined ? byAddress : `${identity.space} ${identity.id}`;
}

const ownershipMap = z.object({
  farmhands: z.record(z.string(), z.object({ owner: z.string(), id: z.string().optional() })),
});

interface Known {
  readonly owner: Owner;
  isMade: boolean;
  readonly isBound: boolean;
}

/** Who has to own what, from what the farm itself did: nothing of it is asked of the control API. */
export class OwnersModel {
  readonly violations: string[] = [];
  readonly #known = new Map<string, Known>();

  joined(farmhandId: string, connectionId: string): void {
    const known = this.#known.get(farmhandId);
    const owner = ownerOf(connectionId);
    if (known === undefined) this.#known.set(farmhandId, { owner, isMade: false, isBound: false });
    else if (known.owner !== owner)
      this.violations.push(
        `farmhand ${farmhandId} is ${known.owner}'s, and ${connectionId} was let in with it`,
      );
  }

  /** From now on it is a farmhand, and no slot any more. */
  made(farmhandId: string): void {
    const known = this.#known.get(farmhandId);
    if (known !== undefined) known.isMade = true;
  }

  /** Whoever leaves before they have made it gives it back. */
  left(farmhandId: string): void {
    const known = this.#known.get(farmhandId);
    if (known !== undefined && !known.isMade && !known.isBound) this.#known.delete(farmhandId);
  }

  /** While an operator decides, nobody outside can tell whose it is. */
  undecided(farmhandId: string): void {
    this.#known.delete(farmhandId);
  }

  bound(farmhandId: string, owner: Owner): void {
    this.#known.set(farmhandId, { owner, isMade: true, isBound: true });
  }

  /** The farm is back at its last save: what was made after it never was. */
  wentBack(saved: FarmState | undefined): void {
    const made = new Set(madeIn(saved).map(({ id }) => id));
    for (const [id, known] of this.#known) {
      known.isMade = made.has(id);
      if (!known.isMade && !known.isBound) this.#known.delete(id);
    }
  }

  of(owner: Owner): readonly string[] {
    return [...this.#known].filter(([, known]) => known.owner === owner && known.isMade).map(([id]) => id);
  }

  /** Farmhands that are somebody's, with whose they are. */
  get all(): readonly { readonly id: string; readonly owner: Owner }[] {
    return [...this.#known].filter(([, { isMade }]) => isMade).map(([id, { owner }]) => ({ id, owner }));
  }

  /** Every farmhand that the save holds stands in the map under whoever made it. `saved` was read before `map`. */
  compare(saved: FarmState | undefined, map: string | undefined): void {
    const { farmhands } = map === undefined ? { farmhands: {} } : ownershipMap.parse(JSON.parse(map));
    for (const { id, name } of madeIn(saved)) {
      const known = this.#known.get(id);
      if (known === undefined || known.owner === byAddress) continue;
      const record = farmhands[id];
      const recorded = record === undefined ? 'nobody' : `${record.owner} ${record.id}`;
      if (recorded !== known.owner)
        this.violations.push(`${name} (${id}) is ${known.owner}'s, and the map says: ${recorded}'s`);
    }
  }
}

function madeIn(saved: FarmState | undefined) {
  return saved?.farmhands.filter(({ customised }) => customised) ?? [];
}
