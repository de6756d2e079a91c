import { Problem } from '@steward/shared/problems/problem';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import type { FastifyReply } from 'fastify';

/** A state that only an operator ends may still end any moment; asking more often than this finds nothing. */
const untilNewsSeconds = 15;
const untilLoggedInSeconds = 2;
const secondMs = 1_000;

/** Answers that there is no platform session, with why, what becomes of the request, what mends it, and when to ask again. */
export function noSession(reply: FastifyReply, status: SessionStatus, now: Date, fate?: string): Problem {
  const { state, reason, remedy, next_retry } = status;
  retryAfter(reply, secondsUntilRetry(status, now));
  const detail = [reason, fate, remedy].filter((text) => text !== undefined).join('. ');
  return new Problem('platform-unavailable', detail, { state, reason, remedy, next_retry, retry: true });
}

export function retryAfter(reply: FastifyReply, seconds: number): void {
  reply.header('retry-after', String(Math.max(1, Math.ceil(seconds))));
}

function secondsUntilRetry({ state, next_retry }: SessionStatus, now: Date): number {
  if (next_retry !== undefined) return (Date.parse(next_retry) - now.getTime()) / secondMs;
  return state === 'logging-in' || state === 'logged-in' ? untilLoggedInSeconds : untilNewsSeconds;
}
