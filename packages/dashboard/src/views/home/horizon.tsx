import { dayPart, lightOf } from './farm-state.ts';
import '../../styles/horizon.css';

interface HorizonProps {
  readonly season: string;
  readonly time: number | undefined;
}

/** The farm as the season and the hour have it; only to be looked at. */
export function Horizon({ season, time }: HorizonProps) {
  const part = time === undefined ? 0.3 : dayPart(time);
  const light = time === undefined ? 'day' : lightOf(time);
  // The sun goes in a bow over the land, and the moon comes up behind it.
  const along = light === 'night' ? (part - 0.7) / 0.6 + 0.3 : part / 0.72;
  const x = 90 + along * 720;
  const y = 124 - Math.sin(Math.min(1, along) * Math.PI) * 52;
  return (
    <svg
      class="horizon"
      data-season={season || 'spring'}
      data-light={light}
      viewBox="0 0 900 220"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <circle class="sun" cx={x} cy={y} r={light === 'night' ? 17 : 25} />
      {light === 'night' && (
        <path
          class="stars"
          d="M80 30h3M160 62h3M245 24h3M330 70h3M420 22h3M505 52h3M610 28h3M720 58h3M815 26h3M870 72h3"
        />
      )}
      <path
        class="far"
        d="M0 138c80-26 150-38 232-20 70 15 120-22 206-30 96-9 150 30 240 26 90-4 140-34 222-30V220H0z"
      />
      <path class="mid" d="M0 164c110-30 210-22 320-4 130 21 220-16 340-20 96-3 160 10 240 4V220H0z" />
      <g class="trees">
        <path d="M96 150c-12-2-17-12-11-20-3-12 8-20 17-16 8-8 23-2 23 9 8 6 6 20-5 24-7 5-17 6-24 3zM708 138c-10-2-14-10-9-17-2-10 7-17 14-13 7-7 19-2 19 8 7 5 5 16-4 20-6 4-14 5-20 2z" />
        <path d="M152 160c-9-1-13-9-8-15-2-9 6-15 12-12 7-6 18-1 18 7 6 5 4 15-4 18-6 4-13 4-18 2z" />
      </g>
      <g class="barn">
        <path class="wall" d="M566 160v-34l26-22 26 22v34z" />
        <path class="roof" d="M560 130l32-28 32 28" />
        <path class="door" d="M582 160v-20h20v20M582 140l20 20M602 140l-20 20" />
        <path class="silo" d="M626 160v-46c0-8 18-8 18 0v46z" />
      </g>
      <path class="near" d="M0 186c120-24 250-30 400-16 170 16 300 6 500-10V220H0z" />
      <path
        class="rows"
        d="M150 220c40-22 70-32 110-40M230 220c30-20 52-30 82-38M310 220c20-18 34-26 56-36M390 220c10-16 18-24 32-34M470 220c0-14 2-22 8-34"
      />
      <path
        class="fence"
        d="M650 172v20M690 168v20M730 166v20M770 163v20M810 160v20M850 158v20M890 156v20M640 178c90-10 170-16 260-20M640 186c90-10 170-16 260-20"
      />
    </svg>
  );
}
