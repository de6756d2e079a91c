import { AuditView } from './audit/audit.tsx';
import { BackupsView } from './backups/backups.tsx';
import { BansView } from './bans/bans.tsx';
import { CabinsView } from './cabins/cabins.tsx';
import { ChatView } from './chat/chat.tsx';
import { FarmsView } from './farms/farms.tsx';
import { FilesView } from './files/files.tsx';
import { GameView } from './game/game.tsx';
import { KeysView } from './keys/keys.tsx';
import { OperationsView } from './operations/operations.tsx';
import { ThisPage } from './page/page.tsx';
import { PlayersView } from './players/players.tsx';
import { PlotsView } from './plots/plots.tsx';
import { SchedulesView } from './schedules/schedules.tsx';
import { SettingsView } from './settings/settings.tsx';
import { TimeView } from './time/time.tsx';
import { WebhooksView } from './webhooks/webhooks.tsx';

/** Every view but the first, which come together with whichever is opened: apart they would weigh half as much again. */
export const smallViews = {
  audit: AuditView,
  backups: BackupsView,
  bans: BansView,
  cabins: CabinsView,
  chat: ChatView,
  farms: FarmsView,
  files: FilesView,
  game: GameView,
  keys: KeysView,
  operations: OperationsView,
  page: ThisPage,
  players: PlayersView,
  plots: PlotsView,
  schedules: SchedulesView,
  settings: SettingsView,
  time: TimeView,
  webhooks: WebhooksView,
};
