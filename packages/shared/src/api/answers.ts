import type { z } from 'zod';
import { auditAnswers } from './answers/audit.ts';
import { backupAnswers } from './answers/backups.ts';
import { chatAnswers } from './answers/chat.ts';
import { drainAnswers } from './answers/drain.ts';
import { eventAnswers } from './answers/events.ts';
import { farmAnswers } from './answers/farm.ts';
import { farmhandAnswers } from './answers/farmhands.ts';
import { farmsAnswers } from './answers/farms.ts';
import { keyAnswers } from './answers/keys.ts';
import { moderationAnswers } from './answers/moderation.ts';
import { operationAnswers } from './answers/operations.ts';
import type { Answers } from './answers/parts.ts';
import { playerAnswers } from './answers/players.ts';
import { sampleAnswers } from './answers/samples.ts';
import { scheduleAnswers } from './answers/schedules.ts';
import { serverAnswers } from './answers/server.ts';
import { settingsAnswers } from './answers/settings.ts';
import { webhookAnswers } from './answers/webhooks.ts';
import type { documentEndpoints } from './endpoints/documents.ts';
import type { EndpointId } from './endpoints.ts';

/** What they answer is described elsewhere. */
const documentAnswers = {
  getDocument: {},
  getDocsPage: {},
  getAsyncApi: {},
} satisfies Record<keyof typeof documentEndpoints, Answers>;

/** What each endpoint answers where it succeeds, by status. */
export const answers = {
  ...serverAnswers,
  ...drainAnswers,
  ...farmsAnswers,
  ...sampleAnswers,
  ...auditAnswers,
  ...playerAnswers,
  ...moderationAnswers,
  ...farmhandAnswers,
  ...settingsAnswers,
  ...farmAnswers,
  ...operationAnswers,
  ...chatAnswers,
  ...backupAnswers,
  ...scheduleAnswers,
  ...eventAnswers,
  ...keyAnswers,
  ...webhookAnswers,
  ...documentAnswers,
} satisfies Record<EndpointId, Answers>;

/** The answer of an endpoint, as it is before it becomes JSON. */
export type AnswerOf<Id extends EndpointId> = (typeof answers)[Id] extends {
  200: infer Schema extends z.ZodType;
}
  ? z.infer<Schema>
  : (typeof answers)[Id] extends { 202: infer Schema extends z.ZodType }
    ? z.infer<Schema>
    : never;
