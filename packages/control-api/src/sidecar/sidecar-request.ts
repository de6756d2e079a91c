import type { Agent } from 'node:http';
import type { Clock } from '@steward/service-kit/clock';
import { below } from '@steward/service-kit/http/addresses';
import type { Answer, ask } from '@steward/service-kit/http/asking';
import { readJson } from '@steward/service-kit/json';
import { causeInWords } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import { problemSchema } from '@steward/shared/problems/problem';
import type { Trouble } from '@steward/shared/problems/trouble';
import { z } from 'zod';
import { sidecarLimits } from './limits.ts';

/** Where the sidecar is, and what it wants to hear. */
export interface SidecarPlace {
  readonly url: URL;
  readonly secret: Secret | undefined;
}

export interface SidecarRequest<T> {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly schema: z.ZodType<T>;
}

/** Why the sidecar did not do what it was asked, and what mends it. */
export interface SidecarRefusal extends Trouble {
  /** `unreachable`: no answer that can be read. `secret`: it wants another secret. `refused`: it says why. */
  readonly kind: 'unreachable' | 'secret' | 'refused';
  /** When to ask again, as far as anybody knows. */
  readonly retryAfterMs?: number;
}

export type SidecarAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: SidecarRefusal };

export interface Sending {
  readonly ask: typeof ask;
  readonly clock: Clock;
  readonly limitMs: number;
  readonly agent?: Agent;
  /** Ends it from outside. */
  readonly signal: AbortSignal;
}

/** What a problem of the sidecar's may carry beside its text. */
const problemExtras = z.object({
  reason: z.string().optional().catch(undefined),
  remedy: z.string().optional().catch(undefined),
});

const wrongPlace = 'Set PLATFORM_AUTH_URL to the address of the sidecar';
const startIt = `Start the sidecar, or check its log. ${wrongPlace}, if that is wrong`;
const otherSecret = 'Set PLATFORM_AUTH_SECRET to the same value as for the sidecar';

/** Asks once. Whatever comes back is an answer of the form that is documented, or a reason why there is none. */
export async function askOnce<T>(
  { url, secret }: SidecarPlace,
  { method, path, body, schema }: SidecarRequest<T>,
  { ask, clock, limitMs, agent, signal }: Sending,
): Promise<SidecarAnswer<T>> {
  const ending = new AbortController();
  const timer = clock.after(limitMs, () => {
    // What is left of the time for all attempts is no round number.
    const seconds = Math.max(1, Math.round(limitMs / 1_000));
    ending.abort(new Error(`no answer within ${seconds} s`));
  });
  const end = () => ending.abort(signal.reason);
  signal.addEventListener('abort', end);
  try {
    const answer = await ask(below(url, path), {
      method,
      headers: {
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret.reveal()}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: ending.signal,
      mostBytes: sidecarLimits.answerBytes,
      ...(agent === undefined ? {} : { agent }),
    });
    const said = readJson(answer.text);
    // A redirect is no answer either: followed elsewhere, the secret would go there, too.
    if (answer.status < 200 || answer.status > 299) return refused(refusalOf(answer, said, url));
    const value = schema.safeParse(said);
    if (value.success) return { ok: true, value: value.data };
    return refused({
      kind: 'unreachable',
      reason: `The server at ${url.origin} is not a sidecar of this version`,
      remedy: wrongPlace,
    });
  } catch (error) {
    const reason = `The sidecar at ${url.origin} does not answer: ${short(causeInWords(error))}`;
    return refused({ kind: 'unreachable', reason, remedy: startIt });
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', end);
  }
}

function refusalOf({ status, headers }: Answer, said: unknown, url: URL): SidecarRefusal {
  const problem = problemSchema.safeParse(said);
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  const retry = Number.isFinite(seconds) ? { retryAfterMs: Math.max(0, seconds) * 1_000 } : {};
  if (!problem.success) {
    const says = status >= 300 && status < 400 ? `redirects (${status})` : `says ${status}`;
    return { kind: 'unreachable', reason: `The server at ${url.origin} ${says}`, remedy: startIt };
  }
  if (problem.data.code === 'unauthorized')
    return { kind: 'secret', reason: 'The sidecar refuses our secret', remedy: otherSecret };
  const { reason = problem.data.detail, remedy } = problemExtras.parse(problem.data);
  return {
    kind: 'refused',
    reason: short(reason),
    remedy: remedy && short(remedy),
    ...retry,
  };
}

function short(text: string): string {
  return text.slice(0, sidecarLimits.reasonCharacters);
}

function refused(refusal: SidecarRefusal): { readonly ok: false; readonly refusal: SidecarRefusal } {
  return { ok: false, refusal };
}
