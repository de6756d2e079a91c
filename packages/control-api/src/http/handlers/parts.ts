import type { Clock } from '@steward/service-kit/clock';
import type { Backups } from '../../backups/backups.ts';
import type { Restores } from '../../backups/restore/restores.ts';
import type { Drains } from '../../drain/drains.ts';
import type { Farms } from '../../farms/farms.ts';
import type { Announcer } from '../../game/announcer.ts';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { Screenshots } from '../../game/screenshots.ts';
import type { Invites } from '../../invites/invites.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { Moderation } from '../../moderation/moderation.ts';
import type { Ownership } from '../../ownership/ownership.ts';
import type { Schedules } from '../../schedules/schedules.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Emptiness } from '../../status/emptiness.ts';
import type { NewerFiles } from '../../store/directory/newer-files.ts';
import type { StateDirectory } from '../../store/directory/state-directory.ts';
import type { KeptAudit } from '../../store/kept/audit.ts';
import type { KeptSamples } from '../../store/kept/samples.ts';
import type { Store } from '../../store/store.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { StateReads } from '../bodies/state-reads.ts';

/** What handlers answer from. */
export interface HandlerParts {
  /** What the server is called; empty where it has no name. */
  readonly instance: string;
  readonly bridge: GameBridge;
  readonly invites: Invites;
  readonly settings: Settings;
  readonly ownership: Ownership;
  readonly moderation: Moderation;
  readonly announcer: Announcer;
  readonly newerFiles: NewerFiles;
  readonly disk: Pick<StateDirectory, 'problem'>;
  readonly store: Pick<Store, 'problem' | 'keysLost' | 'bytes'>;
  readonly keys: KeyRing;
  readonly webhooks: Webhooks;
  readonly drains: Drains;
  readonly farms: Farms;
  readonly screenshots: Screenshots;
  readonly backups: Backups;
  readonly restores: Restores;
  readonly schedules: Schedules;
  readonly emptiness: Emptiness;
  readonly samples: Pick<KeptSamples, 'totals'>;
  readonly keptAudit: Pick<KeptAudit, 'page'>;
  readonly clock: Clock;
  readonly reads: StateReads;
}
