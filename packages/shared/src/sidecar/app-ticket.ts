import { z } from 'zod';
import { uint64Text } from '../ids/id-text.ts';

/** The sidecar's `GET /platform/app-ticket`: a signed proof of identity, and nothing that could log in. */
export const appTicketAnswer = z.object({
  app_ticket: z.base64().min(1).meta({ description: 'The encrypted app ticket, base64' }),
  platform_id: uint64Text.meta({ description: 'The 64-bit platform account id, decimal' }),
});

export type AppTicketAnswer = z.infer<typeof appTicketAnswer>;
