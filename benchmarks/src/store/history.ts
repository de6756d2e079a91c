import { keptEvents } from '@steward/control-api/game/bridge-events';
import type { Cursor, PageAsked } from '@steward/control-api/game/state/event-log';
import { NewerFiles } from '@steward/control-api/store/directory/newer-files';
import type { KeptEventLog } from '@steward/control-api/store/kept/event-log';
import { Store } from '@steward/control-api/store/store';
import { systemClock } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { chatEvent } from '../chat/chat-text.ts';

type History = KeptEventLog<StewardEvent>;

/** As many as may be kept at all. */
export const mostEvents = 10_000_000;

const log = {
  info: (_facts: object, message: string) => console.error(message),
  warn: (_facts: object, message: string) => console.error(message),
  error: (_facts: object, message: string) => console.error(message),
};

/** The events of a STATE_DIR as the service opens them, in this process. */
export async function withHistory<T>(directory: string, work: (history: History) => Promise<T>): Promise<T> {
  const store = new Store({
    directory,
    clock: systemClock,
    log,
    newerFiles: new NewerFiles(log),
    // What it did not take is missing from what is kept, which whoever fills it counts.
    disk: { failed: ({ message }) => console.error(message) },
    newEpoch: () => 'bench',
    keep: { events: { days: 30, count: mostEvents }, samples: { days: 400 }, audit: { days: 400 } },
  });
  const history = store.eventLog(keptEvents);
  store.open();
  if (store.problem !== undefined) throw new Error(store.problem.reason);
  store.start();
  try {
    return await work(history);
  } finally {
    await store.close();
  }
}

/** Told between two waits for the disk: memory holds more, so that none is lost. */
const toldAtOnce = 5_000;

/** Has so many more events happen, and every one kept. */
export async function fill(history: History, events: number): Promise<void> {
  for (let told = 0; told < events; told += toldAtOnce) {
    for (let index = told; index < Math.min(events, told + toldAtOnce); index += 1)
      history.append(eventOf(index));
    await history.kept();
  }
  const { kept, lost } = history.counts;
  if (kept !== events || lost > 0) throw new Error(`${kept} of ${events} events are kept, ${lost} are lost`);
}

/** Mostly chat; now and then somebody comes, and seldom a day begins. */
function eventOf(index: number): StewardEvent {
  const { playerId, playerName } = chatEvent.data;
  if (index % 1_000 === 0) return { type: 'farm.dayStarted', data: { day: 1, season: 'spring', year: 1 } };
  if (index % 20 === 0) {
    const door = 'network-p2p';
    return { type: 'players.joined', data: { playerId, playerName, door, connectionId: 'GN_46265193014' } };
  }
  return chatEvent;
}

const limit = 100;

/** The pages that a reader asks for: the newest before a place, the oldest behind it, and of one topic that is seldom. */
export const pages = {
  newest: (before) => ({ before, limit }),
  oldest: (after) => ({ after, limit }),
  'by topic': (before) => ({ before, topics: ['farm'], limit }),
} as const satisfies Record<string, (place: Cursor) => PageAsked>;

/** How long a page takes. */
export async function pageMs(history: History, query: PageAsked): Promise<number> {
  const began = performance.now();
  const { gap } = await history.page(query);
  const took = performance.now() - began;
  if (gap) throw new Error('something that was told is not to be had');
  return took;
}
