import type { AnswerOf } from '@steward/shared/api/answers';
import { auditFacts } from '@steward/shared/api/answers/audit';
import { type AuditOutcome, type auditEndpoints, auditListed } from '@steward/shared/api/endpoints/audit';
import { withTwin } from '@steward/shared/exact-id';
import { timestampOf } from '@steward/shared/wire-values';
import { unreadable } from '../../store/state-problems.ts';
import type { AuditRow } from '../../store/tables/audit.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function auditHandlers({
  keptAudit,
}: Pick<HandlerParts, 'keptAudit'>): Handlers<keyof typeof auditEndpoints> {
  return {
    async getAudit({ query: { after, before, limit = auditListed.usual, ...having } }) {
      const from = after === undefined ? 'newest' : 'oldest';
      const rows = await keptAudit
        .page({ after, before, limit, from, having })
        .catch(unreadable('The audit cannot be read'));
      return { lines: rows.map(lineOf) };
    },
  };
}

function lineOf({
  number,
  at,
  actor,
  action,
  outcome,
  operation,
  body,
}: AuditRow): AnswerOf<'getAudit'>['lines'][number] {
  const { subject, ...facts } = auditFacts.parse(JSON.parse(body));
  return {
    number,
    at: timestampOf(at),
    actor,
    action,
    // As this program wrote it.
    outcome: outcome as AuditOutcome,
    ...(operation === null ? {} : { operationId: operation }),
    ...facts,
    ...(subject === undefined ? {} : { subject: { ...withTwin('id', subject.id), name: subject.name } }),
  };
}
