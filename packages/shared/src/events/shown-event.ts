import { z } from 'zod';
import { withTwin } from '../exact-id.ts';
import { hasIdentities, withoutIdentities } from '../identities.ts';
import { int64Text, timestampOf } from '../wire-values.ts';
import { eventData, type StewardEvent } from './event-data.ts';
import { type EventType, eventTypeNames, gapType } from './event-types.ts';

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
  /** What the server is called where there are several; who hears of more than one tells them apart by it. */
  readonly instance?: string | undefined;
  readonly data: object;
}

/** `instance` is empty where the server has no name. */
export function shownEvent(
  { type, data }: StewardEvent,
  { at, cursor }: Told,
  seesIdentities: boolean,
  instance = '',
): ShownEvent {
  const schema: z.ZodObject = eventData[type];
  const seen = seesIdentities ? data : (withoutIdentities(schema, data) as object);
  const members = Object.entries(seen).flatMap(([name, value]) =>
    isId(schema.shape[name]) ? Object.entries(withTwin(name, String(value))) : [[name, value]],
  );
  return { type, at: timestampOf(at), cursor, ...named(instance), data: Object.fromEntries(members) };
}

const identified: ReadonlySet<EventType> = new Set(
  eventTypeNames.filter((type) => hasIdentities(eventData[type])),
);

/** Whether who may see identities is shown something else than others. */
export function showsIdentities(type: EventType): boolean {
  return identified.has(type);
}

/** Events in the place of this are gone for good: the server was killed, or they were kept for long enough. */
export function shownGap({ at, cursor }: Told, instance = ''): ShownEvent {
  return { type: gapType, at: timestampOf(at), cursor, ...named(instance), data: {} };
}

function named(instance: string): Pick<ShownEvent, 'instance'> {
  return instance === '' ? {} : { instance };
}

/** Whether a member of an event is an id, which is shown as a number with its twin. */
export function isId(member: unknown): boolean {
  return member === int64Text || (member instanceof z.ZodOptional && member.unwrap() === int64Text);
}
