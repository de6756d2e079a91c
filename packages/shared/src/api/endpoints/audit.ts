import { choice, form, integer, type Kind, moment } from '../../kinds.ts';
import { accepted, refused } from '../../parsed.ts';
import { type Endpoints, optional } from '../endpoint.ts';
import { keyName } from '../key-parameters.ts';

/** How what somebody asked for ended. */
export const auditOutcomes = {
  applied: 'it was done',
  refused: 'nothing was done, and `problem` says why',
  void: 'the game did not apply it, and never will',
  unknown: 'it may have been done',
  failed: 'an error in the server',
  denied: 'the key was wrong, or lacked the scope',
} as const;

export type AuditOutcome = keyof typeof auditOutcomes;

export const auditOutcomeNames = Object.keys(auditOutcomes) as [AuditOutcome, ...AuditOutcome[]];

export const auditListed = { most: 1_000, usual: 100 } as const;

/** What wrong keys are told as; whatever else is an action is the name of an endpoint. */
export const wrongKeyAction = 'authenticate';

const lineNumber = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** A number becomes the line's, a time a `Date`. */
const place: Kind<number | Date> = {
  allowed: `the number of a line, or ${moment.allowed}`,
  json: { type: ['integer', 'string'] },
  parse(text) {
    const number = lineNumber.parse(text);
    if (number.ok) return number;
    const time = moment.parse(text);
    return time.ok ? accepted(new Date(time.value)) : refused('is not one of them');
  },
};

export const auditEndpoints = {
  getAudit: {
    on: 'GET /audit',
    group: 'Server',
    scope: 'admin',
    summary: 'Who did what, and which requests were denied',
    description:
      'A line for each write, by request or on /ws, stored before it is answered. The newest first; with `after` the oldest first, so that the last number of a page is the `after` of the next. A line never changes: if an outcome becomes known later, there is a second one. Chat messages are never stored here. Kept for `AUDIT_KEEP_DAYS`.',
    query: {
      after: optional(place, {
        means: 'Only lines after this number, or since this time; the oldest first',
        example: 1_200,
      }),
      before: optional(place, {
        means: 'Only lines before this number, or before this time',
        example: '2026-11-21T00:00:00Z',
      }),
      actor: optional(keyName, {
        means: 'Only this actor: the name of a key, `owner` for API_KEY, `open` on a server without a key',
        example: 'owner',
      }),
      action: optional(
        form({ allowed: 'the name of an endpoint', pattern: /^[A-Za-z]{1,64}$/, longest: 64 }),
        {
          means: `Only this action: an operationId of this document, or \`${wrongKeyAction}\` for wrong keys`,
          example: 'deleteFarmhand',
        },
      ),
      outcome: optional(choice(auditOutcomeNames), { means: 'Only this outcome', example: 'applied' }),
      limit: optional(integer({ min: 1, max: auditListed.most }), {
        means: `The maximum number; ${auditListed.usual} by default`,
        example: 20,
      }),
    },
  },
} as const satisfies Endpoints;
