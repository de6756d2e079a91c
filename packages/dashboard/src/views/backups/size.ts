const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** In the largest unit of which there is one. */
export function sizeOf(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const format = { style: 'unit', unit: units[step] ?? 'byte', unitDisplay: 'short' } as const;
  return new Intl.NumberFormat('en', { ...format, maximumSignificantDigits: 3 }).format(
    bytes / 1_000 ** step,
  );
}
