import { connect } from 'node:net';
import { below, withoutBrackets } from '@steward/service-kit/http/addresses';
import { textWithin } from '@steward/service-kit/http/asking';
import { parseExact, readJson } from '@steward/service-kit/json';
import { causeInWords, errorCode } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import type { z } from 'zod';
import { type ExistingWrite, existingBusy, existingWrite } from './existing-answers.ts';
import type { ExistingLimits } from './existing-limits.ts';

/** It cannot be spoken to at all: it is away, refuses the key, or is something else. */
export class ExistingUnreachable extends Error {
  readonly remedy: string;

  constructor(why: string, remedy: string = existingRemedies.away) {
    super(why);
    this.remedy = remedy;
  }
}

export type WriteResult =
  | { readonly kind: 'answer'; readonly answer: ExistingWrite }
  /** It says itself that nothing was done, and that it may be asked again. */
  | { readonly kind: 'busy' }
  /** Nothing was done, as somebody plays. */
  | { readonly kind: 'played'; readonly why: string }
  /** Nothing was done, as it has no such path. */
  | { readonly kind: 'unsupported'; readonly why: string }
  /** Nothing of the request can have arrived. */
  | { readonly kind: 'not-sent'; readonly why: string }
  /** It may have been done. */
  | { readonly kind: 'unknown'; readonly why: string };

/** What it shows, and how old that was when it answered. */
export interface ExistingRead<Schema extends z.ZodType> {
  readonly body: z.infer<Schema>;
  readonly ageMs: number;
}

/** Something to be done there. */
export interface ExistingRequest {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly query: Record<string, string>;
  readonly body?: object;
  /** Where it makes or loads a world. */
  readonly isLong?: true;
}

export interface ExistingClientParts {
  readonly url: URL;
  readonly key: Secret | undefined;
  readonly limits: ExistingLimits;
}

const milliseconds = /^[0-9]{1,12}$/;

const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The existing server's HTTP API, as far as the bridge needs it. */
export class ExistingClient {
  readonly #parts: ExistingClientParts;

  constructor(parts: ExistingClientParts) {
    this.#parts = parts;
  }

  async read<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<ExistingRead<Schema>> {
    const answer = await this.#readable(path, signal, this.#parts.limits.readMs);
    return this.#bodyOf(path, schema, answer);
  }

  /** Whether anybody takes a connection there: one that hangs does, and has its farm in memory. */
  isThere(): Promise<boolean> {
    const { url, limits } = this.#parts;
    const host = withoutBrackets(url.hostname);
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect({ host, port, timeout: limits.readMs });
    for (const gone of ['error', 'timeout'] as const) socket.once(gone, () => resolve(false));
    socket.once('connect', () => resolve(true));
    return promise.finally(() => socket.destroy());
  }

  /** Waits for something newer than the version; undefined when nothing came in its time. */
  async newer<Schema extends z.ZodType>(
    path: string,
    since: number,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<ExistingRead<Schema> | undefined> {
    const answer = await this.#readable(`/wait${path}?since=${since}`, signal, this.#parts.limits.longPollMs);
    if (answer.status !== 408) return this.#bodyOf(path, schema, answer);
    await this.#text(answer);
    return undefined;
  }

  async write({ method, path, query, body, isLong }: ExistingRequest): Promise<WriteResult> {
    const { writeMs, worldMs } = this.#parts.limits;
    const signal = AbortSignal.timeout(isLong ? worldMs : writeMs);
    try {
      const answer = await this.#fetch(`${path}?${new URLSearchParams(query)}`, signal, method, body);
      const text = await this.#text(answer);
      if (answer.status === 503 && saysRetry(text)) return { kind: 'busy' };
      if (answer.status === 409)
        return { kind: 'played', why: 'Somebody is playing on the existing server, so it loads nothing' };
      // Whom it does not find, it says with a 200.
      if (answer.status === 404 || answer.status === 405)
        return { kind: 'unsupported', why: `This version of the existing server has no ${method} ${path}` };
      if (answer.status === 401) return { kind: 'not-sent', why: keyRefusal(this.#parts.key) };
      if (!answer.ok) return { kind: 'unknown', why: `the existing server ${saysOf(answer)}` };
      return { kind: 'answer', answer: parsed(path, existingWrite, text) };
    } catch (error) {
      const why = reasonOf(error);
      return neverSent.has(codeOf(error)) ? { kind: 'not-sent', why } : { kind: 'unknown', why };
    }
  }

  async #readable(path: string, signal: AbortSignal, ms: number): Promise<Response> {
    const answer = await this.#fetch(path, AbortSignal.any([signal, AbortSignal.timeout(ms)])).catch(
      (error: unknown) => {
        throw new ExistingUnreachable(reasonOf(error));
      },
    );
    if (answer.status === 401)
      throw new ExistingUnreachable(keyRefusal(this.#parts.key), existingRemedies.key);
    if (!answer.ok && answer.status !== 408)
      throw new ExistingUnreachable(
        `it ${saysOf(answer)} to ${path.split('?')[0]}`,
        isRedirect(answer) ? existingRemedies.notIt : existingRemedies.away,
      );
    return answer;
  }

  async #bodyOf<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    answer: Response,
  ): Promise<ExistingRead<Schema>> {
    const age = answer.headers.get('x-snapshot-age-ms') ?? '';
    const body = parsed(path, schema, await this.#text(answer));
    return { body, ageMs: milliseconds.test(age) ? Number(age) : 0 };
  }

  #text(answer: Response): Promise<string> {
    return textWithin(answer, this.#parts.limits.answerBytes);
  }

  #fetch(path: string, signal: AbortSignal, method = 'GET', body?: object): Promise<Response> {
    const { url, key } = this.#parts;
    return fetch(below(url, path), {
      method,
      signal,
      // Followed, whoever answers would choose what this service asks inside its network, and what it then believes.
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key.reveal()}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

function saysOf(answer: Response): string {
  return isRedirect(answer) ? `answers with a redirect (${answer.status})` : `answers ${answer.status}`;
}

function parsed<Schema extends z.ZodType>(path: string, schema: Schema, text: string): z.infer<Schema> {
  let body: unknown;
  try {
    body = parseExact(text);
  } catch {
    throw new ExistingUnreachable(`its answer to ${path} is not JSON`, existingRemedies.notIt);
  }
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new ExistingUnreachable(
    `its answer to ${path} is not as expected: ${firstIssue(result.error)}`,
    existingRemedies.otherForm,
  );
}

/** A 503 of whatever may stand between says nothing about what was done behind it. */
function saysRetry(text: string): boolean {
  return existingBusy.safeParse(readJson(text)).success;
}

function reasonOf(error: unknown): string {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return isLate ? 'it does not answer in time' : causeInWords(error);
}

function codeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return errorCode(cause) ?? '';
}

/** What whoever runs both servers can change, by what is wrong between them. */
export const existingRemedies = {
  away: 'Start that server, or set EXISTING_URL to where its API is',
  notIt: 'Set EXISTING_URL to the address of the API of that server',
  otherForm:
    'Check that EXISTING_URL is the address of the API of that server, and use a version of it that docs/migrating.md names',
  key: 'Set EXISTING_API_KEY to the API_KEY of that server',
  noKey: 'Unset EXISTING_API_KEY, or set it as the API_KEY of that server: its API is now open to everybody',
  noUpgrades:
    'Let the proxy in front of that server pass WebSockets on /ws, or set EXISTING_URL to that server itself',
} as const;

/** How it is said that the key is not that server's. */
export function keyRefusal(key: Secret | undefined): string {
  return key === undefined
    ? 'it needs a key, and EXISTING_API_KEY is not set'
    : 'it refuses EXISTING_API_KEY';
}
