import { z } from 'zod';
import { namedPlayer } from '../../bridge/outcome.ts';
import { exactId, exactIdText } from '../../exact-id.ts';
import { timestamp } from '../../wire-values.ts';
import { type auditEndpoints, auditOutcomeNames, auditOutcomes } from '../endpoints/audit.ts';
import type { Answers } from './parts.ts';

/** By which way it came. */
export const auditDoor = z.enum(['http', 'ws', 'schedule']);

export type AuditDoor = z.infer<typeof auditDoor>;

const outcome = z.enum(auditOutcomeNames).meta({
  description: Object.entries(auditOutcomes)
    .map(([name, means]) => `${name}: ${means}`)
    .join('; '),
});

/** What a line says beside when, who, what and how it ended. */
export const auditFacts = z.object({
  keyId: z.string().optional().meta({ description: 'Of the key; absent for API_KEY and without a key' }),
  address: z
    .string()
    .optional()
    .meta({ description: 'Where it came from; of a flood, the network that is counted' }),
  door: auditDoor.optional(),
  says: z.string().meta({ description: 'The action in words' }),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'What it was asked with, but for what is secret; long values are cut' }),
  subject: namedPlayer.optional(),
  problem: z.string().optional().meta({ description: 'The code of the error that was answered' }),
  requestId: z.string().optional().meta({ description: 'Stands on the lines of the log, too' }),
  count: z.int().min(1).optional().meta({
    description: 'So many of these came within a minute; the first of a flood has a line of its own',
  }),
  interrupted: z
    .literal(true)
    .optional()
    .meta({ description: 'The service ended before it knew how this ends' }),
});

export type AuditFacts = Readonly<z.infer<typeof auditFacts>>;

const line = auditFacts
  .extend({
    number: z.int().min(1).meta({ description: 'Grows with each line; not every number is one' }),
    at: timestamp,
    actor: z.string().meta({
      description:
        'The name of the key, `owner` or `open`; `schedule <name>` for what one does by itself; `nobody` for a wrong key',
    }),
    action: z.string().meta({ description: 'The operationId of the endpoint, or authenticate' }),
    outcome,
    operationId: z.string().optional(),
    subject: namedPlayer
      .extend({ id: exactId, idStr: exactIdText })
      .optional()
      .meta({ description: 'Whom it was done to' }),
  })
  .meta({ id: 'AuditLine', description: 'One thing that somebody did, or was kept from' });

export const auditAnswers = {
  getAudit: { 200: z.object({ lines: z.array(line) }).meta({ id: 'Audit' }) },
} satisfies Record<keyof typeof auditEndpoints, Answers>;
