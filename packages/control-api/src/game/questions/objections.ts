import type { FarmhandSlot } from '@steward/shared/bridge/state';
import type { Trouble } from '@steward/shared/problems/trouble';

/** Who wants to come in, as far as the game can tell. */
export interface Knock {
  readonly connectionId: string;
  /** Over direct IP, where the game tells it. */
  readonly address?: string | undefined;
}

/** Why somebody is kept out. `reason` and `remedy` are for whoever runs this, and name no identity: others read them, too. */
export interface Objected extends Trouble {
  /** For metrics. */
  readonly code: string;
  /** For the player. */
  readonly message: string;
}

/** What there is against a visitor, whatever they would take; or against their having this slot. Undefined where there is nothing. */
export type Against = (slot?: AskedSlot) => Objected | undefined;

export type AskedSlot = Pick<FarmhandSlot, 'id' | 'isCustomized'>;

/** A visitor is looked up once, and then asked about each slot of the farm. */
export type Objects = (knock: Knock) => Against;

/** What keeps people out beside whose the farmhands are. It is asked first, also where ownership is not enforced. */
export interface Objections {
  /** Resolves once it is known how things stand now. */
  look(): Promise<Objects>;
}
