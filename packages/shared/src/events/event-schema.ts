import { z } from 'zod';
import { exactId, exactIdText } from '../exact-id.ts';
import { isIdentity } from '../identities.ts';
import { timestamp } from '../wire-values.ts';
import { eventData } from './event-data.ts';
import { eventTypeNames, eventTypes, gapType } from './event-types.ts';
import { isId } from './shown-event.ts';

export const cursorText = z
  .string()
  .max(64)
  .meta({
    description: 'The place of this event in the log. Store the last one; its form may change.',
    examples: ['k3f9x-42'],
  });

const place = {
  at: timestamp,
  cursor: cursorText,
  instance: z.string().optional().meta({ description: 'INSTANCE_NAME, if it is set' }),
};

/** What is shown of each, for documents and for whoever checks what comes. */
const shownOf = eventTypeNames.map((type) =>
  z
    .object({ type: z.literal(type), ...place, data: shownData(eventData[type]) })
    .meta({ description: eventTypes[type] }),
);

const gap = z.object({ type: z.literal(gapType), ...place, data: z.object({}) }).meta({
  description: 'Events at this place are lost: the server was killed, or they are no longer kept',
});

/** What is shown where a gap is told in other words. */
export const toldEventSchema = z.discriminatedUnion(
  'type',
  shownOf as [(typeof shownOf)[0], ...typeof shownOf],
);

export const shownEventSchema = z
  .discriminatedUnion('type', [gap, ...shownOf])
  .meta({ id: 'Event', description: 'An event' });

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

/** Absent where the id may be. */
function asIn(member: unknown, twin: z.ZodType): z.ZodType {
  return member instanceof z.ZodOptional ? twin.optional() : twin;
}
