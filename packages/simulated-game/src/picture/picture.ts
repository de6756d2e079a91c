import { encode } from 'fast-png';
import { isHidden } from '../cabins/cabins.ts';
import type { Farm } from '../farm/farm.ts';
import type { FarmState } from '../saves/farm-state.ts';
import { dayBegins, dayEnds } from '../time/calendar.ts';

/** In tiles, and how many pixels a tile is wide and high. */
const map = { width: 80, height: 65 } as const;
const tilePixels = 8;

type Colour = readonly [red: number, green: number, blue: number];

const ground: Readonly<Record<FarmState['season'], Colour>> = {
  spring: [106, 168, 79],
  summer: [82, 143, 48],
  fall: [191, 127, 57],
  winter: [222, 230, 238],
};

const colours = {
  farmhouse: [122, 68, 38],
  cabin: [153, 102, 61],
  roof: [160, 52, 44],
  host: [255, 255, 255],
} as const satisfies Record<string, Colour>;

/** Of those who play, one after the other. */
const coats: readonly Colour[] = [
  [52, 101, 192],
  [204, 65, 37],
  [241, 194, 50],
  [103, 78, 167],
  [69, 129, 142],
  [166, 28, 110],
];

const farmhouse = { x: 60, y: 10 } as const;

/** As dark as it gets before everybody has to sleep. */
const darkest = 0.45;

/** What the farm shows to somebody who looks at it from above: its ground by the season, its cabins, and who is there. */
export function pictureOf(farm: Farm): Buffer {
  const { season, cabins, timeOfDay } = farm.world.state;
  const canvas = new Canvas(ground[season], lightAt(timeOfDay));
  canvas.house(farmhouse, colours.farmhouse, 9, 5);
  for (const cabin of cabins)
    if (!isHidden(cabin)) canvas.house({ x: cabin.tileX, y: cabin.tileY }, colours.cabin, 5, 3);
  const doorstep = farmhouse.y + 6;
  canvas.fill(farmhouse.x + 4, doorstep, 1, 2, colours.host);
  farm.sessions.all.forEach((_, index) => {
    const coat = coats[index % coats.length] ?? colours.host;
    canvas.fill(farmhouse.x + 4 - 2 * (index + 1), doorstep + 3, 1, 2, coat);
  });
  return canvas.png();
}

/** Full until the evening, and less and less from then on. */
function lightAt(timeOfDay: number): number {
  const evening = (dayBegins + 2 * dayEnds) / 3;
  const late = Math.max(0, timeOfDay - evening) / (dayEnds - evening);
  return 1 - late * darkest;
}

class Canvas {
  readonly #pixels: Uint8Array;
  readonly #light: number;

  constructor(background: Colour, light: number) {
    this.#light = light;
    this.#pixels = new Uint8Array(map.width * map.height * tilePixels ** 2 * 3);
    this.fill(0, 0, map.width, map.height, background);
  }

  /** A wall with a roof on it; its place is the left end of its foot's back. */
  house({ x, y }: { readonly x: number; readonly y: number }, wall: Colour, width: number, height: number) {
    this.fill(x, y, width, height, wall);
    this.fill(x, y, width, Math.ceil(height / 2), colours.roof);
  }

  /** In tiles; what lies outside of the map is not drawn. */
  fill(x: number, y: number, width: number, height: number, colour: Colour): void {
    const left = clamped(x, map.width) * tilePixels;
    const right = clamped(x + width, map.width) * tilePixels;
    const lit = colour.map((part) => Math.round(part * this.#light));
    const row = Buffer.alloc((right - left) * 3, Buffer.from(lit));
    const last = clamped(y + height, map.height) * tilePixels;
    for (let line = clamped(y, map.height) * tilePixels; line < last; line += 1)
      this.#pixels.set(row, (line * map.width * tilePixels + left) * 3);
  }

  png(): Buffer {
    const size = { width: map.width * tilePixels, height: map.height * tilePixels };
    return Buffer.from(encode({ ...size, data: this.#pixels, channels: 3 }));
  }
}

function clamped(tile: number, most: number): number {
  return Math.max(0, Math.min(most, tile));
}
