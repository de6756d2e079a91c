import { AuditView } from './audit/audit.tsx';
import { CabinsView } from './cabins/cabins.tsx';
import { FarmsView } from './farms/farms.tsx';
import { FilesView } from './files/files.tsx';
import { GameView } from './game/game.tsx';
import { KeysView } from './keys/keys.tsx';
import { OperationsView } from './operations/operations.tsx';
import { PlotsView } from './plots/plots.tsx';
import { SchedulesView } from './schedules/schedules.tsx';
import { SettingsView } from './settings/settings.tsx';
import { TimeView } from './time/time.tsx';
import { WebhooksView } from './webhooks/webhooks.tsx';

/** Views of a kilobyte or so, which come together with the first of them: each alone they would weigh half as much again. */
export const smallViews = {
  audit: AuditView,
  cabins: CabinsView,
  farms: FarmsView,
  files: FilesView,
  game: GameView,
  keys: KeysView,
  operations: OperationsView,
  plots: PlotsView,
  schedules: SchedulesView,
  settings: SettingsView,
  time: TimeView,
  webhooks: WebhooksView,
};
