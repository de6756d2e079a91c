import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/log';
import type { AwaitedArrivals } from './awaited-arrivals.ts';
import type { JoinAttempts } from './join-attempts.ts';
import type { JoinCounts } from './join-counts.ts';
import type { LoadedFarm } from './known-farm.ts';
import type { OwnershipRegister } from './ownership-register.ts';
import type { OwnAddress } from './remedy-line.ts';

/** What the parts of ownership share. */
export interface OwnershipParts {
  readonly register: OwnershipRegister;
  readonly awaited: AwaitedArrivals;
  readonly attempts: JoinAttempts;
  readonly counts: JoinCounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly isEnforced: () => boolean;
  readonly address: () => OwnAddress;
  /** The farm that the game has loaded, once all of it is known. */
  readonly farm: () => LoadedFarm | undefined;
}
