import type { Clock } from '@steward/service-kit/clock';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import type { Logger } from '@steward/service-kit/log/logger';
import type { Archivist } from './backups/archive/archivist.ts';
import type { Backups } from './backups/backups.ts';
import type { ChatRelayLimits } from './chat/limits.ts';
import type { BridgeReplacements } from './compose/bridge.ts';
import type { ControlApiConfiguration } from './configuration.ts';
import type { GameBridge } from './game/game-bridge.ts';
import type { Dashboard } from './http/dashboard/dashboard.ts';
import type { AttemptLimit } from './http/guards/limits.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Ownership } from './ownership/ownership.ts';
import type { Schedules } from './schedules/schedules.ts';
import type { Settings } from './settings/settings.ts';
import type { StateDirectory } from './store/directory/state-directory.ts';
import type { StartThread } from './store/writing/writer.ts';
import type { Egress } from './webhooks/sending.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface ServiceParts {
  readonly configuration: ControlApiConfiguration;
  readonly version: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The clock for pauses between retries; network timeouts use the other. */
  readonly retryClock: Clock;
  readonly random: () => number;
  /** Replaced in tests: the game itself. */
  readonly bridge?: BridgeReplacements;
  /** Replaced in tests: the thread that writes the store. */
  readonly startWriter?: StartThread;
  /** Replaced in tests: the way out of webhooks. */
  readonly egress?: Egress;
  /** Replaced in tests: who makes and reads archives. */
  readonly archivist?: Archivist;
  readonly chatLimits?: Partial<ChatRelayLimits>;
  readonly writes?: AttemptLimit;
  /** Replaced in tests: where the built page is. */
  readonly pageFrom?: string;
}

export interface Service {
  readonly app: HttpServer;
  /** Where there is a page. */
  readonly dashboard: Dashboard | undefined;
  readonly bridge: GameBridge;
  readonly settings: Settings;
  readonly ownership: Ownership;
  readonly keys: KeyRing;
  readonly webhooks: Webhooks;
  readonly schedules: Schedules;
  readonly backups: Backups;
  readonly disk: StateDirectory;
  /** Makes this process the only one on its STATE_DIR, as which it names `command`, and opens what is kept there. */
  open(command?: string): Promise<void>;
  /** Opens, reads the farm's files, and lets the game come. */
  start(): Promise<void>;
  /** Begins to write what is kept, and to look at the disk and at the sidecar, which nobody who asks this service has to wait for. */
  watch(): void;
  /** Sees players off in so many seconds, answers what is under way, stops the game and writes down what it said last. */
  stop(drainSeconds?: number): Promise<void>;
}
