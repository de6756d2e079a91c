import type { CreateFarmParameters, Settings } from '@steward/client';
import { type Kind, sentAs, wrongNumber } from '../../parts/typed.ts';
import { farmTypes, gameWords as says } from '../../words.ts';

export type PartName = keyof Settings['game'];
export type Draft = Readonly<Partial<Record<PartName, string>>>;

const flag: Kind = { is: 'flag' };
const text: Kind = { is: 'text' };
const largest = 2_147_483_647;

/** What a new farm is made from, in the order of the form, and how each is typed in. */
export const farmParts: Readonly<Record<PartName, Kind>> = {
  farmName: text,
  farmType: text,
  startingCabins: { is: 'number', min: 0, max: largest },
  cabinLayoutNearby: flag,
  profitMargin: text,
  spawnMonstersAtNight: { is: 'choice', of: ['true', 'false', 'auto'] },
  communityCenterYear1: flag,
  remixBundles: flag,
  remixMines: flag,
  mushroomCave: flag,
  buyJoja: flag,
  petName: text,
  petBreed: { is: 'number', min: -largest, max: largest },
  useLegacyRandom: flag,
  randomSeed: text,
};

const whole = /^-?\d+$/;

/** What is typed, or what the settings say. */
export function textOf(game: Settings['game'], draft: Draft, name: PartName): string {
  return draft[name] ?? partText(name, game[name] ?? '');
}

/** A part as a person calls it. */
export function partText(name: string, value: string | number | boolean): string {
  return (name === 'farmType' && farmTypes[Number(value)]) || String(value);
}

/** What is wrong with what was typed; undefined where nothing is, or nothing was typed. */
export function wrongWith(name: PartName, typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  const kind = farmParts[name];
  if (kind.is === 'number') return wrongNumber(kind, typed);
  if (name === 'profitMargin') return Number(typed) > 0 ? undefined : says.wrongPart;
  if (name === 'randomSeed') return /^\d{0,20}$/.test(typed.trim()) ? undefined : says.wrongSeed;
  return kind.is === 'text' && typed.trim() === '' ? says.wrongName : undefined;
}

/** What was typed and is other than the settings say; the server takes everything else from them. */
export function askedOf(game: Settings['game'], draft: Draft): CreateFarmParameters {
  const named = (Object.keys(draft) as PartName[]).filter((name) => draft[name] !== textOf(game, {}, name));
  return Object.fromEntries(named.map((name) => [name, partAs(name, draft[name] ?? '')]));
}

function partAs(name: PartName, typed: string): string | number | boolean {
  // Whoever takes the settings' seed out wants another farm than that: the server would take it from there.
  if (name === 'randomSeed' && typed.trim() === '') return `${Date.now()}`;
  const isNumber = name === 'profitMargin' || (name === 'farmType' && whole.test(typed.trim()));
  return isNumber ? Number(typed) : sentAs(farmParts[name], typed);
}
