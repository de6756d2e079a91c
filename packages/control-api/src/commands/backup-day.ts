interface Farm {
  readonly farmName?: string | undefined;
  readonly day?: number | undefined;
  readonly season?: string | undefined;
  readonly year?: number | undefined;
}

/** Which farm a backup is of, and which day there, as far as it says so. */
export function dayOf({ farm: { farmName, day, season, year } }: { readonly farm: Farm }): string {
  const date = day === undefined ? 'an unknown day' : `${season} ${day} of year ${year}`;
  return farmName === undefined ? date : `${JSON.stringify(farmName)}, ${date}`;
}
