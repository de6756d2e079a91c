import type { Cabins } from '@steward/client';
import { cabinWords as says } from '../../words.ts';

export type Cabin = Cabins['cabins'][number];

/** As large as the standard farm; others are larger or smaller, and whatever stands beyond is drawn, too. */
const usual = { width: 80, height: 65 } as const;
const cabinTiles = { width: 5, height: 3 } as const;
const margin = 3;

/** Whether it stands on the map: stacked ones are kept off it. */
export function placed({ isHidden, tileX, tileY }: Cabin): boolean {
  return !isHidden && tileX >= 0 && tileY >= 0;
}

export function cabinName({ ownerName, isAssigned }: Cabin): string {
  return ownerName || (isAssigned ? says.unnamed : says.nobody);
}

/** The part of the map that is drawn, in tiles. */
export function extent(cabins: readonly Cabin[]): { readonly width: number; readonly height: number } {
  const all = cabins.filter(placed);
  return {
    width: Math.max(usual.width, ...all.map(({ tileX }) => tileX + cabinTiles.width + margin)),
    height: Math.max(usual.height, ...all.map(({ tileY }) => tileY + cabinTiles.height + margin)),
  };
}
