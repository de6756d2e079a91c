/** Where a request arrives: one word per door of the platform. */
type RequestKind = 'proxy' | 'web-api' | 'cm' | 'service-method' | 'manifest' | 'chunk';

/** What is known of a request before it is answered; faults match on it and the record keeps it. */
export interface RequestFacts {
  readonly kind: RequestKind;
  /** As the client named it, with its port: `api.steampowered.com`, `127.0.0.1:40123`. */
  readonly host: string;
  /** An HTTP path with its query, a CM message's name (`ClientLogon`), or a service method (`Authentication.PollAuthSessionStatus`). */
  readonly path: string;
  /** The account whose session asks, once there is one. */
  readonly account?: string;
}

/** A member that is absent matches everything; a string matches the whole value, an expression any part of it. */
export interface RequestMatcher {
  readonly kind?: RequestKind;
  readonly host?: string | RegExp;
  readonly path?: string | RegExp;
  readonly account?: string;
}

export function matches(matcher: RequestMatcher, request: RequestFacts): boolean {
  return (
    (matcher.kind === undefined || matcher.kind === request.kind) &&
    fits(matcher.host, request.host) &&
    fits(matcher.path, request.path) &&
    (matcher.account === undefined || matcher.account === request.account)
  );
}

function fits(wanted: string | RegExp | undefined, value: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === value : wanted.test(value);
}

/** One request and what became of it; the one who answers fills in the outcome. */
export interface RecordedRequest extends RequestFacts {
  readonly number: number;
  readonly at: number;
  /** Milliseconds by the platform's clock, once the answer has gone out (or has been given up). */
  finishedAt?: number;
  /** The HTTP status or the EResult that was answered; absent while nothing was. */
  outcome?: number;
  /** Why it could not even be read. */
  problem?: string;
  /** Bytes of the answer's body that were handed to the network. */
  bytes: number;
}

interface Waiting {
  readonly matcher: RequestMatcher;
  readonly times: number;
  readonly resolve: (requests: readonly RecordedRequest[]) => void;
}

/** Everything that was asked of the platform, in order, for tests to assert on. */
export class RequestRecord {
  readonly #requests: RecordedRequest[] = [];
  readonly #now: () => number;
  #waiting: Waiting[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(facts: RequestFacts): RecordedRequest {
    const request: RecordedRequest = { ...facts, number: this.#requests.length, at: this.#now(), bytes: 0 };
    this.#requests.push(request);
    this.#wake();
    return request;
  }

  finish(request: RecordedRequest, outcome?: number): void {
    request.finishedAt = this.#now();
    if (outcome !== undefined) request.outcome = outcome;
  }

  matching(matcher: RequestMatcher = {}): readonly RecordedRequest[] {
    return this.#requests.filter((request) => matches(matcher, request));
  }

  count(matcher: RequestMatcher = {}): number {
    return this.matching(matcher).length;
  }

  bytes(matcher: RequestMatcher = {}): number {
    return this.matching(matcher).reduce((sum, request) => sum + request.bytes, 0);
  }

  /** Resolves when `times` requests have matched, those of the past included. */
  seen(matcher: RequestMatcher, times = 1): Promise<readonly RecordedRequest[]> {
    return new Promise((resolve) => {
      this.#waiting.push({ matcher, times, resolve });
      this.#wake();
    });
  }

  clear(): void {
    this.#requests.length = 0;
  }

  #wake(): void {
    this.#waiting = this.#waiting.filter(({ matcher, times, resolve }) => {
      const found = this.matching(matcher);
      if (found.length < times) return true;
      resolve(found);
      return false;
    });
  }
}
