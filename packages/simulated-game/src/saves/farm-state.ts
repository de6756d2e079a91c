import { commandId } from '@steward/shared/bridge/commands';
import { farmId, saveGeneration } from '@steward/shared/bridge/hello';
import { appliedOutcome } from '@steward/shared/bridge/outcome';
import { cabinStrategy } from '@steward/shared/bridge/settings';
import { int64Text, uint64Text } from '@steward/shared/wire-values';
import { z } from 'zod';
import { daysInSeason, seasons } from '../time/calendar.ts';
import { dayBegins, dayEnds } from '../time/time-of-day.ts';
import { farmTypes } from './farm-type.ts';

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
  /** How often the farm was opened: nothing random repeats itself when the same seed opens the same farm again. */
  openings: z.int().min(0),
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
