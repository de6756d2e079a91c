export interface Tile {
  readonly x: number;
  readonly y: number;
}

/** Where stacked cabins are kept: off the map. */
export const hiddenTile: Tile = { x: -20, y: -20 };

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

export function sameTile(a: Tile, b: Tile): boolean {
  return a.x === b.x && a.y === b.y;
}
