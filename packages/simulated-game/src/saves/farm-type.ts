/** The farm maps in the order of their index in the settings file. */
export const farmTypes = [
  'Standard',
  'Riverland',
  'Forest',
  'Hilltop',
  'Wilderness',
  'FourCorners',
  'Beach',
  'MeadowlandsFarm',
] as const;

export type FarmType = (typeof farmTypes)[number];

/** By index, or by name in any case and spacing. The simulated farm has no mods, so any other name is a Standard farm. */
export function farmTypeOf(setting: number | string): FarmType {
  const type =
    typeof setting === 'number' || /^[0-9]+$/.test(setting)
      ? farmTypes[Number(setting)]
      : farmTypes.find((type) => plain(type) === plain(setting) || plain(type) === `${plain(setting)}farm`);
  return type ?? 'Standard';
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/g, '');
}
