import type { ProblemCode } from '../problems/problem-codes.ts';
import { type Endpoint, isWrite } from './endpoint.ts';

/** What can happen to any request, before an endpoint sees it. */
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

const behindTheKey = [
  'unauthorized',
  'key-ended',
  'insufficient-scope',
  'too-many-requests',
  // Whose a key is, where the keys cannot be read.
  'state-unreadable',
] as const satisfies readonly ProblemCode[];

/** A read passes over parameters that it does not have, a write refuses them. */
const parameterProblems = [
  'missing-parameter',
  'invalid-parameter',
  'unknown-parameter',
] as const satisfies readonly ProblemCode[];

/** What can become of a command to the game. */
const commandProblems = [
  'idempotency-key-reused',
  'not-supported-by-game',
  'command-failed',
  'state-unwritable',
  'game-unavailable',
  'command-void',
  'outcome-unknown',
] as const satisfies readonly ProblemCode[];

/** Every error that an endpoint can answer, in the order of the alphabet. */
export function problemsOf(endpoint: Endpoint): readonly ProblemCode[] {
  const { scope, path, query, exactlyOneOf, problems = [] } = endpoint;
  const takesParameters = path !== undefined || query !== undefined;
  return [
    ...anywhere,
    ...(scope === 'public' ? [] : behindTheKey),
    ...(isWrite(endpoint) ? parameterProblems : []),
    ...(!isWrite(endpoint) && takesParameters ? (['invalid-parameter'] as const) : []),
    ...(exactlyOneOf === undefined ? [] : (['conflicting-parameters'] as const)),
    ...(isWrite(endpoint) && endpoint.game !== undefined ? commandProblems : []),
    ...problems,
  ].toSorted();
}
