import type { cabinStrategy } from '@steward/shared/bridge/settings';
import type { z } from 'zod';
import type { Cabin, FarmState } from '../saves/farm-state.ts';

/**
 * CabinStack and FarmhouseStack keep every cabin out of sight and show each owner their own; None puts cabins on the
 * map, and there are only so many spots.
 */
export type CabinStrategy = z.infer<typeof cabinStrategy>;

interface Tile {
  readonly x: number;
  readonly y: number;
}

/** Where stacked cabins are kept: off the map. */
const hiddenTile: Tile = { x: -20, y: -20 };

/** The spots that the Standard map has for cabins; the other maps are simulated with the same ones. */
export const mapSpots: readonly Tile[] = [
  { x: 29, y: 10 },
  { x: 37, y: 10 },
  { x: 45, y: 10 },
  { x: 29, y: 17 },
  { x: 37, y: 17 },
  { x: 45, y: 17 },
  { x: 53, y: 10 },
];

export type CabinType = 'CabinStack' | 'FarmhouseStack' | 'Normal';

export function cabinType(strategy: CabinStrategy): CabinType {
  return strategy === 'None' ? 'Normal' : strategy;
}

export function isHidden(cabin: Cabin): boolean {
  return sameTile(tileOf(cabin), hiddenTile);
}

/** Where the next cabin would stand; undefined when the map has no spot left. */
export function nextTile(state: FarmState): Tile | undefined {
  return state.cabinStrategy === 'None' ? freeSpot(state) : hiddenTile;
}

/** Puts a cabin where its owner wants it: on a spot of the map. False when all are taken. */
export function placeCabin(state: FarmState, ownerId: string): boolean {
  const spot = freeSpot(state);
  const cabin = cabinOf(state, ownerId);
  if (spot === undefined || cabin === undefined) return false;
  move(cabin, spot);
  if (!state.placedCabins.includes(ownerId)) state.placedCabins.push(ownerId);
  return true;
}

/** Takes a placed cabin back to where the strategy keeps cabins. */
export function resetCabin(state: FarmState, ownerId: string): void {
  state.placedCabins = state.placedCabins.filter((id) => id !== ownerId);
  const cabin = cabinOf(state, ownerId);
  const tile = nextTile(state);
  if (cabin !== undefined && tile !== undefined) move(cabin, tile);
}

/**
 * Another strategy from now on. False, and nothing changed, when the map has too few spots for the cabins there are.
 * `moveExisting` also takes cabins off the map that stand there already; what owners placed by hand stays.
 */
export function changeStrategy(state: FarmState, strategy: CabinStrategy, moveExisting: boolean): boolean {
  if (strategy === 'None') {
    if (state.cabins.length > mapSpots.length) return false;
    for (const cabin of state.cabins.filter(isHidden)) move(cabin, freeSpot(state) ?? hiddenTile);
  } else if (moveExisting) {
    for (const cabin of state.cabins) {
      if (!state.placedCabins.includes(cabin.ownerId)) move(cabin, hiddenTile);
    }
  }
  state.cabinStrategy = strategy;
  return true;
}

function freeSpot(state: FarmState): Tile | undefined {
  return mapSpots.find((spot) => !state.cabins.some((cabin) => sameTile(tileOf(cabin), spot)));
}

function cabinOf(state: FarmState, ownerId: string): Cabin | undefined {
  return state.cabins.find((cabin) => cabin.ownerId === ownerId);
}

function tileOf(cabin: Cabin): Tile {
  return { x: cabin.tileX, y: cabin.tileY };
}

function move(cabin: Cabin, { x, y }: Tile): void {
  cabin.tileX = x;
  cabin.tileY = y;
}

function sameTile(a: Tile, b: Tile): boolean {
  return a.x === b.x && a.y === b.y;
}
