import type { StewardEvent } from '@steward/shared/events/event-data';
import { type Topic, topicOf } from '@steward/shared/events/event-types';
import { keptEvents } from '../game/bridge-events.ts';
import { type Cursor, type LoggedEvent, parseCursor } from '../game/state/event-log.ts';
import type { KeptEventLog } from '../store/kept/event-log.ts';

/** What a webhook reads the log by. */
export type ReadableLog = Pick<KeptEventLog<StewardEvent>, 'epoch' | 'head' | 'recent' | 'page'>;

/** Read at once: what a receiver that was away is told meanwhile is in memory. */
const eventsAtOnce = 100;

/** What comes behind a place. Behind a gap, and where there is nothing, the next place to look from. */
export interface Ahead {
  readonly gap: boolean;
  readonly events: readonly LoggedEvent<StewardEvent>[];
  readonly place: Cursor;
}

export function headOf({ head }: Pick<ReadableLog, 'head'>): Cursor {
  return placeOf(head);
}

/** What of these topics comes next, in order; where something of them may be gone for good, that alone. */
export async function aheadOf(log: ReadableLog, place: Cursor, topics: readonly Topic[]): Promise<Ahead> {
  const head = headOf(log);
  // Numbers go on from epoch to epoch, and nobody can tell what is missing in between.
  if (place.epoch !== head.epoch || place.number > head.number) {
    const from = { ...head, number: Math.min(place.number, head.number) };
    // The numbers that were set aside are missing as well: where they follow at once, one gap stands for both.
    return { gap: true, events: [], place: (await endOfGap(log, from, topics)) ?? from };
  }
  const recent = log.recent(place);
  if (!recent.gap) {
    const events = recent.events.filter(({ event }) => isOf(event, topics)).slice(0, eventsAtOnce);
    return { gap: false, events, place: events.length === 0 ? head : place };
  }
  const page = await log.page({ after: place, topics, limit: eventsAtOnce });
  const [first] = page.events;
  if (!page.gap)
    return { gap: false, events: page.events, place: first === undefined ? placeOf(page.cursor) : place };
  if (first === undefined) return { gap: true, events: [], place: placeOf(page.cursor) };
  const end = await endOfGap(log, place, topics);
  return end === undefined ? { gap: false, events: [first], place } : { gap: true, events: [], place: end };
}

/** Where that ends which may be gone right behind a place: before the first that is left of these topics. */
async function endOfGap(
  log: ReadableLog,
  place: Cursor,
  topics: readonly Topic[],
): Promise<Cursor | undefined> {
  const { gap, events, cursor } = await log.page({ after: place, topics, limit: 1 });
  if (!gap) return undefined;
  const [first] = events;
  return first === undefined ? placeOf(cursor) : { ...place, number: first.number - 1 };
}

function placeOf(cursor: string): Cursor {
  const place = parseCursor(cursor);
  if (!place.ok) throw new Error(`the log's own cursor ${place.reason}`);
  return place.value;
}

function isOf(event: StewardEvent, topics: readonly Topic[]): boolean {
  return keptEvents.topicOf(event) !== undefined && topics.includes(topicOf(event.type));
}
