import { type ProblemCode, problemCodes } from '@steward/shared/problems/problem-codes';
import { z } from 'zod';
import { bearerScheme } from './bearer-scheme.ts';
import { problemAnswer } from './problem-answer.ts';
import type { TagName } from './tags.ts';

/** What can happen to any request, before a route sees it. */
const anywhere = [
  'malformed-request',
  'unexpected-body',
  'cross-site-request',
  'request-timeout',
  'expectation-failed',
  'request-too-large',
  'internal-error',
  'shutting-down',
] as const satisfies readonly ProblemCode[];

const behindTheKey = ['unauthorized', 'too-many-requests'] as const satisfies readonly ProblemCode[];

/** What can become of a command to the game. */
export const commandProblems = [
  'idempotency-key-reused',
  'not-supported-by-game',
  'command-failed',
  'state-unreadable',
  'state-unwritable',
  'game-unavailable',
  'command-void',
  'outcome-unknown',
] as const satisfies readonly ProblemCode[];

export const parameterProblems = [
  'missing-parameter',
  'invalid-parameter',
  'unknown-parameter',
] as const satisfies readonly ProblemCode[];

export interface RouteDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: TagName;
  readonly isPublic?: boolean;
  /** The key may also come later: in the first message of a WebSocket. */
  readonly keyMayWait?: boolean;
  /** Made once a state and sent with an entity tag. */
  readonly isPrepared?: boolean;
  readonly answers: Readonly<Partial<Record<number | '2XX', z.ZodType>>>;
  readonly problems?: readonly ProblemCode[];
}

const nothing = z.undefined().meta({ description: 'The caller has it already: If-None-Match' });

/** The parts of a route's schema that say what it answers: every status it can give. */
export function routeSchema(route: RouteDescription) {
  const { operationId, summary, description, tag, answers } = route;
  const { isPublic = false, keyMayWait = false, isPrepared = false } = route;
  const codes = [...anywhere, ...(isPublic ? [] : behindTheKey), ...(route.problems ?? [])];
  const problems = codes.map((code) => [problemCodes[code].status, problemAnswer] as const);
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...(isPublic ? { security: [] } : {}),
    ...(keyMayWait ? { security: [{}, { [bearerScheme]: [] }] } : {}),
    response: { ...Object.fromEntries(problems), ...(isPrepared ? { 304: nothing } : {}), ...answers },
    [problemCodesExtension]: codes.toSorted(),
  };
}

/** Where the document names the codes of an operation's problems. */
export const problemCodesExtension = 'x-problem-codes';
