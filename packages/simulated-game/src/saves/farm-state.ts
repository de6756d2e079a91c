import { commandId } from '@steward/shared/bridge/commands';
import { farmId, saveGeneration } from '@steward/shared/bridge/hello';
import { appliedOutcome } from '@steward/shared/bridge/outcome';
import { cabinStrategy, type GameSettings } from '@steward/shared/bridge/settings';
import { int64Text, uint64Text } from '@steward/shared/wire-values';
import { z } from 'zod';
import { dayBegins, dayEnds, daysInSeason, firstDay, seasons } from '../time/calendar.ts';
import type { Random } from '../time/random.ts';

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

type FarmType = (typeof farmTypes)[number];

const farmhand = z.object({
  id: int64Text,
  name: z.string(),
  customised: z.boolean(),
  /** What the client declared when it claimed the slot, in the id space of the cross-platform network. */
  stamp: uint64Text.optional(),
});

export type Farmhand = z.infer<typeof farmhand>;

const cabin = z.object({ tileX: z.int(), tileY: z.int(), ownerId: int64Text });

export type Cabin = z.infer<typeof cabin>;

/** Everything that a save keeps. Who is connected, and what networks and lobbies do, is gone with the process. */
export const farmState = z.object({
  farmId,
  generation: saveGeneration,
  host: z.object({ id: int64Text, name: z.string() }),
  farmName: z.string(),
  farmType: z.enum(farmTypes),
  day: z.int().min(1).max(daysInSeason),
  season: z.enum(seasons),
  year: z.int().min(1),
  timeOfDay: z.int().min(dayBegins).max(dayEnds),
  cabinStrategy: cabinStrategy,
  farmhands: z.array(farmhand),
  cabins: z.array(cabin),
  /** Owners who put their cabin where they want it. */
  placedCabins: z.array(int64Text),
  admins: z.array(int64Text),
  /** The last commands that were applied: in the save, so that farm and journal always tell the same story. */
  journal: z.array(z.object({ command: commandId, outcome: appliedOutcome })),
});

export type FarmState = z.infer<typeof farmState>;

/** A farm on its first morning, as the settings want it. Slots come later, with the rule that one is always free. */
export function foundFarm({ game, server }: GameSettings, random: Random): FarmState {
  return {
    farmId: saveName(game.farmName, random.integer(100_000_000, 999_999_999)),
    generation: 0,
    host: { id: newFarmhandId(random), name: 'Host' },
    farmName: game.farmName,
    farmType: farmTypeOf(game.farmType),
    ...firstDay,
    timeOfDay: dayBegins,
    cabinStrategy: server.cabinStrategy,
    farmhands: [],
    cabins: [],
    placedCabins: [],
    admins: [],
    journal: [],
  };
}

const longestName = 60;

/** As the real game calls the folder of a save, and the file in it: by the farm's name, and the number that is its own for life. */
export function saveName(farmName: string, number: string | number): string {
  const plain = farmName.normalize('NFKD').replaceAll(/[^A-Za-z0-9]/g, '');
  return `${plain.slice(0, longestName) || 'Farm'}_${number}`;
}

/** Random and signed, as the game gives them to everyone. */
export function newFarmhandId(random: Random): string {
  return BigInt.asIntN(64, random.bits64()).toString();
}

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
