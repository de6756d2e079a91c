/** A character slot of the farm and who is in it. */
export interface Character {
  readonly id: bigint;
  name: string;
  isCustomized: boolean;
  isOnline: boolean;
  isAdmin: boolean;
}

export interface Calendar {
  day: number;
  season: 'spring' | 'summer' | 'fall' | 'winter';
  year: number;
  timeOfDay: number;
}

/** One player, as the query names one. */
export type Target = { readonly playerId: bigint } | { readonly name: string };

export const hiddenTile = -20;
