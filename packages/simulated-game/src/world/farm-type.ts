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
