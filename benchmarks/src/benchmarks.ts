import { assistants } from './assistants/assistants.ts';
import { backup } from './backup/backup.ts';
import { openedPage } from './browser/opened-page.ts';
import { usedPage } from './browser/used-page.ts';
import { fanOut, streams } from './chat/fan-out.ts';
import { held, storm } from './chat/many-clients.ts';
import { client } from './client/client.ts';
import type { Comparison } from './comparison.ts';
import { download } from './download/download.ts';
import { lzma } from './download/lzma.ts';
import { fleet } from './fleet/fleet.ts';
import { eventReaders, requests } from './growth/connections.ts';
import { depot, depotFiles } from './growth/depot.ts';
import { events } from './growth/events.ts';
import { farmhands } from './growth/farmhands.ts';
import { farms } from './growth/farms.ts';
import { keys as keysGrowing } from './growth/keys.ts';
import { sockets, sseClients } from './growth/listeners.ts';
import { players } from './growth/players.ts';
import { schedules } from './growth/schedules.ts';
import { webhooks } from './growth/webhooks.ts';
import { health } from './http/health.ts';
import { keys } from './keys/keys.ts';
import type { Growth } from './page/growth-row.ts';
import { pageListener, start } from './start/start.ts';
import { status } from './status/status.ts';
import { store } from './store/store.ts';

/** Every benchmark that compares, by the name that the command and the page know it by. */
export const figures: Readonly<Record<string, () => Promise<readonly Comparison[]>>> = {
  start,
  health,
  status,
  keys,
  'chat-fan-out': fanOut,
  'chat-held': held,
  'chat-storm': storm,
  events: streams,
  client,
  assistants,
  download,
  lzma,
  store,
  backup,
  fleet,
  page: async () => [...(await openedPage()), ...(await usedPage()), ...(await pageListener())],
};

export const growthName = 'growth';

/** What is doubled, by name, in the order of the page. */
export const growths: Readonly<Record<string, () => Promise<Growth>>> = {
  requests,
  sockets,
  'SSE clients': sseClients,
  players,
  farmhands,
  events,
  'event readers': eventReaders,
  keys: keysGrowing,
  webhooks,
  schedules,
  farms,
  'depot size': depot,
  'depot files': depotFiles,
};

/** How the command calls one of them alone: `growth:depot-size`. */
export function growthCalled(name: string): string {
  return `${growthName}:${name.toLowerCase().replaceAll(' ', '-')}`;
}
