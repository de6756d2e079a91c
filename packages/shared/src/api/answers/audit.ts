import { z } from 'zod';
import { namedPlayer } from '../../bridge/outcome.ts';
import { exactId, exactIdText } from '../../exact-id.ts';
import { timestamp } from '../../wire-values.ts';
import { type auditEndpoints, auditOutcomeNames, auditOutcomes } from '../endpoints/audit.ts';
import type { Answers } from './parts.ts';

/** By which way it came. */
const auditDoor = z.enum(['http', 'ws', 'schedule']);

const outcome = z.enum(auditOutcomeNames).meta({
  description: Object.entries(auditOutcomes)
    .map(([name, means]) => `${name}: ${means}`)
    .join('; '),
});

/** What a line says beside when, who, what and how it ended. */
export const auditFacts = z.object({
  keyId: z.string().optional().meta({ description: 'The key’s id; absent for API_KEY and without a key' }),
  address: z
    .string()
    .optional()
    .meta({ description: 'The client’s address; for a flood, the network that is counted' }),
  door: auditDoor.optional(),
  says: z.string().meta({ description: 'The action in words' }),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'The parameters, without secrets; long values are cut' }),
  subject: namedPlayer.optional(),
  problem: z.string().optional().meta({ description: 'The code of the error in the answer' }),
  requestId: z.string().optional().meta({ description: 'Also in the log lines of this request' }),
  count: z.int().min(1).optional().meta({
    description: 'The number of such requests within a minute; the first one of a flood has its own line',
  }),
  interrupted: z
    .literal(true)
    .optional()
    .meta({ description: 'The service stopped before the outcome was known' }),
});

export type AuditFacts = Readonly<z.infer<typeof auditFacts>>;

const line = auditFacts
  .extend({
    number: z.int().min(1).meta({ description: 'Grows with each line; some numbers are skipped' }),
    at: timestamp,
    actor: z.string().meta({
      description:
        'The name of the key, `owner` or `open`; `schedule <name>` for a schedule; `nobody` for a wrong key',
    }),
    action: z.string().meta({ description: 'The operationId of the endpoint, or authenticate' }),
    outcome,
    operationId: z.string().optional(),
    subject: namedPlayer
      .extend({ id: exactId, idStr: exactIdText })
      .optional()
      .meta({ description: 'Whom or what it affected' }),
  })
  .meta({ id: 'AuditLine', description: 'One action, or one denied attempt' });

export const auditAnswers = {
  getAudit: { 200: z.object({ lines: z.array(line) }).meta({ id: 'Audit' }) },
} satisfies Record<keyof typeof auditEndpoints, Answers>;
