import type { GameSettings } from '@steward/shared/bridge/settings';
import type { SaveStore } from '../saves/save-store.ts';
import type { Steward } from '../steward/steward.ts';
import type { Schedule } from '../time/schedule.ts';

/** What a farm needs from outside: no clock, no chance and no file of its own. */
export interface FarmParts {
  readonly seed: string;
  readonly schedule: Schedule;
  readonly saves: SaveStore;
  readonly settings: GameSettings;
  readonly steward: Steward;
  /** The app's 32 bytes, with which the network's backend reads tickets; without it nobody can sign in. */
  readonly ticketKey: Buffer | undefined;
}
