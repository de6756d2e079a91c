/** Drawn by hand on a grid of 24, in one line of one width; some have a filled part after `|`. */
const drawn = {
  farm: 'M3.5 11 12 4l8.5 7M5.5 9.5V20h13V9.5M9.5 20v-6h5v6M9.5 14l5 6M14.5 14l-5 6',
  players:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 11a3 3 0 0 0 0-6M17.5 14.5c2.3.6 3.7 2.4 4 5.5',
  chat: 'M4 5.5h16v10.5h-8.5L7 20v-4H4zM8 9.5h8M8 12.5h5',
  cabins: 'M2.5 20h19M4.5 20v-8L9 8l4.5 4v8M13.5 20v-6l3.2-2.8L20 14v6M7.7 20v-4h2.6v4',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 7.5V12l3.2 2.2',
  settings: 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h7M15 17h5M15 5v4M9 10v4M13 15v4',
  chest: 'M3.5 10.5C3.5 7 5.5 5 8 5h8c2.5 0 4.5 2 4.5 5.5M3.5 10.5h17V19h-17zM10 10.5h4v3.5h-4z',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8M8 14h2M14 14h2',
  bell: 'M6 16.5c1.5-1.5 1.5-3 1.5-6a4.5 4.5 0 0 1 9 0c0 3 0 4.5 1.5 6zM10.5 19.5c.8 1 2.2 1 3 0',
  key: 'M8 16.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8M11.8 11.5H21M17.5 11.5V15M20.5 11.5V14',
  audit: 'M6 3.5h9l3.5 3.5v13.5H6zM14.5 3.5V7.5h4M9 12h6M9 15.5h6',
  operations: 'M9 6.5h11M9 12h11M9 17.5h11M4 6.5l1 1 1.5-2M4 12l1 1 1.5-2M4.5 17.5h1.5',
  plot: 'M4 4v16h16M7.5 15.5l3.5-5 3 3 5-7',
  gate: 'M4 20V6M20 20V6M4 9h16M4 17h16M4 17l16-8M8 20V6M16 20V6',
  signpost: 'M12 21V3.5M12 5h6.5l2 2-2 2H12M12 10.5H5.5l-2 2 2 2H12',
  page: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  more: 'M5 7h14M5 12h14M5 17h14',
  copy: 'M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warn: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.3',
  close: 'M6 6l12 12M18 6 6 18',
  onward: 'M9 5.5l6.5 6.5L9 18.5',
  down: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.3 15.3 20.5 20.5',
  wait: 'M7 3.5h10M7 20.5h10M8 3.5c0 5 8 6 8 8.5s-8 3.5-8 8.5M16 3.5c0 5-8 6-8 8.5s8 3.5 8 8.5',
  off: 'M6 12h12',
  sprout:
    'M12 20.5V11M12 13C12 9 9 6.5 4.5 6.5 4.5 10.5 7.5 13 12 13M12 11c0-3.5 2.5-6 7.5-6 0 4-3 6.5-7.5 6.5',
} as const;

export type IconName = keyof typeof drawn;

/** Beside words that say the same: nobody who cannot see it misses anything. */
export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={drawn[name]} />
    </svg>
  );
}
