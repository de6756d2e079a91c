import { cabinWords as says } from '../../words.ts';
import { type Cabin, cabinName, extent, placed } from './farm-map.ts';

const tensApart = 10;

/** The farm from above, a square a tile, with each cabin where it stands, a little larger than it is; those off the map wait in a row beside it. */
export function FarmMap({ cabins }: { cabins: readonly Cabin[] }) {
  const { width, height } = extent(cabins);
  const drawn = cabins.map((cabin, index) => ({ cabin, number: index + 1 }));
  const stacked = drawn.filter(({ cabin }) => !placed(cabin));
  return (
    <>
      <svg
        class="farm-map"
        viewBox={`-5 -5 ${width + 8} ${height + 7}`}
        role="img"
        aria-label={says.drawn(cabins.length - stacked.length, stacked.length)}
      >
        <rect class="meadow" width={width} height={height} />
        <path class="tufts" d={tufts(width, height)} />
        <rect class="fence" x="-.6" y="-.6" width={width + 1.2} height={height + 1.2} />
        <path class="lines" d={lines(width, height)} />
        <g class="tens">
          {tens(width).map((at) => (
            <text key={`x${at}`} x={at} y="-1.5">
              {at}
            </text>
          ))}
          {tens(height).map((at) => (
            <text key={`y${at}`} x="-2.6" y={at + 0.9}>
              {at}
            </text>
          ))}
        </g>
        {drawn
          .filter(({ cabin }) => placed(cabin))
          .map(({ cabin, number }) => (
            <g
              key={number}
              class="cabin"
              data-taken={cabin.isAssigned || undefined}
              transform={`translate(${cabin.tileX} ${cabin.tileY})`}
            >
              <title>{`${number}: ${cabinName(cabin)}`}</title>
              <path class="wall" d="M-.7.4h6.4V4H-.7z" />
              <path class="roof" d="M-1.5.8L2.5-3l4 3.8z" />
              <text x="2.5" y="3.5">
                {number}
              </text>
            </g>
          ))}
      </svg>
      {stacked.length > 0 && (
        <div class="stack">
          <p>{says.stacked}</p>
          <ul>
            {stacked.map(({ cabin, number }) => (
              <li key={number} data-taken={cabin.isAssigned || undefined} title={cabinName(cabin)}>
                {number}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function tens(size: number): readonly number[] {
  return Array.from({ length: Math.floor(size / tensApart) + 1 }, (_, index) => index * tensApart);
}

/** Grass, always the same and nowhere in rows. */
function tufts(width: number, height: number): string {
  return Array.from({ length: 90 }, (_, index) => {
    const x = scattered(index * 2) * (width - 3);
    const y = 2 + scattered(index * 2 + 1) * (height - 3);
    return `M${x.toFixed(1)} ${y.toFixed(1)}l.5-1 .3 1 .6-.8 .1.8`;
  }).join('');
}

/** From 0 to 1, and no two near numbers near each other. */
function scattered(number: number): number {
  const large = Math.sin(number * 12.9898) * 43_758.5453;
  return large - Math.floor(large);
}

/** Every fifth line is enough for an eye to count by. */
function lines(width: number, height: number): string {
  const down = tens(width).flatMap((at) => [`M${at} 0V${height}`, `M${at + 5} 0V${height}`]);
  const across = tens(height).flatMap((at) => [`M0 ${at}H${width}`, `M0 ${at + 5}H${width}`]);
  return [...down, ...across].join('');
}
