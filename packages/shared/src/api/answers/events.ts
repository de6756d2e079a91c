import { z } from 'zod';
import { cursorText, shownEventSchema } from '../../events/event-schema.ts';
import type { ShownEvent } from '../../events/shown-event.ts';
import type { eventEndpoints } from '../endpoints/events.ts';
import type { Answers } from './parts.ts';

const shown: z.ZodType<ShownEvent> = shownEventSchema;

export const eventAnswers = {
  getEvents: {
    200: z
      .object({
        events: z.array(shown),
        gap: z.boolean().meta({
          description:
            'Some of the requested events are lost: the server was killed, or they are no longer kept',
        }),
        cursor: cursorText.meta({
          ...cursorText.meta(),
          description: 'The place after this page: the `after` of the next one',
        }),
      })
      .meta({ id: 'Events' }),
  },
  streamEvents: {
    200: z
      .string()
      .meta({ description: 'Server-Sent Events; the `data` of each is an Event in this document' }),
  },
} satisfies Record<keyof typeof eventEndpoints, Answers>;
