import { matches, type RequestFacts, type RequestMatcher } from './request-facts.ts';

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
