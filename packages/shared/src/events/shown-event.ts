import { z } from 'zod';
import { exactId, exactIdText, withTwin } from '../exact-id.ts';
import { hasIdentities, isIdentity, withoutIdentities } from '../identities.ts';
import { int64Text, timestamp, timestampOf } from '../wire-values.ts';
import { eventData, type StewardEvent } from './event-data.ts';
import { type EventType, eventTypeNames, eventTypes, gapType } from './event-types.ts';

export const cursorText = z
  .string()
  .max(64)
  .meta({
    description: 'A place in the order of everything that happens. Keep the last one; its form may change.',
    examples: ['k3f9x-42'],
  });

/** Where an event stands in the log. */
export interface Told {
  readonly at: Date;
  readonly cursor: string;
}

/** An event as every door shows it: 64-bit ids as numbers, each with its twin, and identities to those alone who may see them. */
export interface ShownEvent {
  readonly type: EventType | typeof gapType;
  readonly at: string;
  readonly cursor: string;
  readonly data: object;
}

export function shownEvent(
  { type, data }: StewardEvent,
  { at, cursor }: Told,
  seesIdentities: boolean,
): ShownEvent {
  const schema: z.ZodObject = eventData[type];
  const seen = seesIdentities ? data : (withoutIdentities(schema, data) as object);
  const members = Object.entries(seen).flatMap(([name, value]) =>
    isId(schema.shape[name]) ? Object.entries(withTwin(name, String(value))) : [[name, value]],
  );
  return { type, at: timestampOf(at), cursor, data: Object.fromEntries(members) };
}

const identified: ReadonlySet<EventType> = new Set(
  eventTypeNames.filter((type) => hasIdentities(eventData[type])),
);

/** Whether who may see identities is shown something else than others. */
export function showsIdentities(type: EventType): boolean {
  return identified.has(type);
}

/** Events in the place of this are gone for good: the server was killed, or they were kept for long enough. */
export function shownGap({ at, cursor }: Told): ShownEvent {
  return { type: gapType, at: timestampOf(at), cursor, data: {} };
}

const place = { at: timestamp, cursor: cursorText };

/** What is shown of each, for documents and for whoever checks what comes. */
const shownOf = eventTypeNames.map((type) =>
  z
    .object({ type: z.literal(type), ...place, data: shownData(eventData[type]) })
    .meta({ description: eventTypes[type] }),
);

const gap = z.object({ type: z.literal(gapType), ...place, data: z.object({}) }).meta({
  description:
    'Events in this place are gone for good: the server was killed, or they were kept for long enough',
});

/** What is shown where a gap is told in other words. */
export const toldEventSchema = z.discriminatedUnion(
  'type',
  shownOf as [(typeof shownOf)[0], ...typeof shownOf],
);

export const shownEventSchema = z
  .discriminatedUnion('type', [gap, ...shownOf])
  .meta({ id: 'Event', description: 'Something that happened' });

function shownData({ shape }: z.ZodObject<Record<string, z.ZodType>>): z.ZodObject {
  const members = Object.entries(shape).flatMap(([name, member]) =>
    isId(member)
      ? [
          [name, asIn(member, exactId)],
          [`${name}Str`, asIn(member, exactIdText)],
        ]
      : // Whoever may not see it finds it absent.
        [[name, isIdentity(member) ? member.optional() : member]],
  );
  return z.object(Object.fromEntries(members));
}

function isId(member: unknown): boolean {
  return member === int64Text || (member instanceof z.ZodOptional && member.unwrap() === int64Text);
}

/** Absent where the id may be. */
function asIn(member: unknown, twin: z.ZodType): z.ZodType {
  return member instanceof z.ZodOptional ? twin.optional() : twin;
}
