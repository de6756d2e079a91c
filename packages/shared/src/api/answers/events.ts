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
            'Some of what was asked for is gone for good: the server was killed, or it was kept for long enough',
        }),
        cursor: cursorText.meta({
          ...cursorText.meta(),
          description: 'The place behind this page: the `after` of the next',
        }),
      })
      .meta({ id: 'Events' }),
  },
  streamEvents: {
    200: z
      .string()
      .meta({ description: 'Server-Sent Events; the `data` of each is an Event of this document' }),
  },
} satisfies Record<keyof typeof eventEndpoints, Answers>;
