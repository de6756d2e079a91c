import type { Agent } from 'node:http';
import { Backoff, type Clock } from '@steward/service-kit/clock';
import { ask as askOverHttp, keepingAgent } from '@steward/service-kit/http/asking';
import { type DownloadAnswer, downloadAnswer } from '@steward/shared/sidecar/download';
import { heardHealth, type SidecarHealth } from '@steward/shared/sidecar/health';
import {
  type AppTicketAnswer,
  appTicketAnswer,
  heardLobby,
  type LobbyAnswer,
  type LobbyRequest,
} from '@steward/shared/sidecar/platform';
import { CircuitBreaker } from './circuit-breaker.ts';
import { retryPauses, sidecarLimits } from './limits.ts';
import {
  askOnce,
  type SidecarAnswer,
  type SidecarPlace,
  type SidecarRefusal,
  type SidecarRequest,
} from './sidecar-request.ts';

const sidecarRequests = [
  'health',
  'app-ticket',
  'lobby',
  'put-lobby',
  'download',
  'look-for-build',
  'publish-build',
] as const;

export type SidecarRequestName = (typeof sidecarRequests)[number];

export type AttemptOutcome = 'answered' | SidecarRefusal['kind'];

/** Told of each attempt that was really sent. */
export type AttemptListener = (name: SidecarRequestName, outcome: AttemptOutcome, seconds: number) => void;

export interface SidecarClientParts extends SidecarPlace {
  readonly clock: Clock;
  /** Of the pauses between two attempts. */
  readonly retryClock: Clock;
  readonly random: () => number;
  /** Replaced in tests: the way to the sidecar. */
  readonly ask?: typeof askOverHttp;
}

interface Call<T> extends SidecarRequest<T> {
  readonly name: SidecarRequestName;
  readonly limitMs: number;
  readonly onceMs: number;
  /** Worth asking again when the sidecar says that it will have an answer in time. */
  readonly waitsForIt?: boolean;
}

/** The one way to the sidecar: every request has a deadline, a few attempts, and a breaker before it. */
export class SidecarClient {
  readonly breaker: CircuitBreaker;
  readonly #parts: SidecarClientParts;
  readonly #listeners = new Set<AttemptListener>();
  readonly #agent: Agent;
  readonly #closing = new AbortController();
  #lastFailure = 'The sidecar has not been asked yet';

  constructor(parts: SidecarClientParts) {
    this.#parts = parts;
    this.#agent = keepingAgent(parts.url);
    this.breaker = new CircuitBreaker(parts.retryClock, parts.random);
  }

  health(): Promise<SidecarAnswer<SidecarHealth>> {
    return this.#ask({ ...look, name: 'health', path: 'health', schema: heardHealth });
  }

  lobby(): Promise<SidecarAnswer<LobbyAnswer>> {
    return this.#ask({ ...look, name: 'lobby', path: 'platform/lobby', schema: heardLobby });
  }

  download(): Promise<SidecarAnswer<DownloadAnswer>> {
    return this.#ask({ ...look, name: 'download', path: 'download', schema: downloadAnswer });
  }

  /** Has it look for a newer build, and stage it; `download` says how far that is. */
  lookForBuild(): Promise<SidecarAnswer<DownloadAnswer>> {
    const { lookForBuildMs: limitMs } = sidecarLimits;
    const request = { method: 'POST', path: 'download', schema: downloadAnswer } as const;
    return this.#ask({ name: 'look-for-build', ...request, limitMs, onceMs: limitMs });
  }

  /** Has it put in place what it has staged. */
  publishBuild(): Promise<SidecarAnswer<DownloadAnswer>> {
    const { publishMs: limitMs } = sidecarLimits;
    const request = { method: 'POST', path: 'download/publish', schema: downloadAnswer } as const;
    return this.#ask({ name: 'publish-build', ...request, limitMs, onceMs: limitMs });
  }

  putLobby(body: LobbyRequest): Promise<SidecarAnswer<LobbyAnswer>> {
    const limits = { limitMs: sidecarLimits.putMs, onceMs: sidecarLimits.putMs };
    const request = { method: 'PUT', path: 'platform/lobby', schema: heardLobby } as const;
    return this.#ask({ name: 'put-lobby', ...request, ...limits, body });
  }

  appTicket(): Promise<SidecarAnswer<AppTicketAnswer>> {
    const limits = { limitMs: sidecarLimits.ticketMs, onceMs: sidecarLimits.ticketMs };
    const request = { method: 'GET', path: 'platform/app-ticket', schema: appTicketAnswer } as const;
    return this.#ask({ name: 'app-ticket', ...request, ...limits, waitsForIt: true });
  }

  onAttempt(listener: AttemptListener): void {
    this.#listeners.add(listener);
  }

  /** Ends what is under way. */
  close(): void {
    this.#closing.abort(new Error('the control API is stopping'));
    this.#agent.destroy();
  }

  async #ask<T>(call: Call<T>): Promise<SidecarAnswer<T>> {
    const { clock, retryClock, random } = this.#parts;
    const until = clock.now() + call.limitMs;
    const pauses = new Backoff(retryPauses, random);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#attempt(call, until);
      if (answer.ok) return answer;
      const pauseMs = this.#pauseBefore(call, answer.refusal, attempt, pauses);
      if (pauseMs === undefined || this.#closing.signal.aborted || clock.now() + pauseMs >= until)
        return answer;
      await new Promise<void>((resolve) => retryClock.after(pauseMs, resolve));
      // On a busy machine a pause ends late.
      if (this.#closing.signal.aborted || clock.now() >= until) return answer;
    }
  }

  async #attempt<T>(call: Call<T>, until: number): Promise<SidecarAnswer<T>> {
    const { clock, ask = askOverHttp } = this.#parts;
    const pauseMs = this.breaker.pauseMs;
    if (pauseMs > 0) return { ok: false, refusal: this.#paused(pauseMs) };
    this.breaker.passed();
    const started = clock.now();
    const limitMs = Math.min(call.onceMs, until - started);
    const answer = await askOnce(this.#parts, call, {
      ask,
      clock,
      limitMs,
      agent: this.#agent,
      signal: this.#closing.signal,
    });
    const outcome = answer.ok ? 'answered' : answer.refusal.kind;
    if (answer.ok || answer.refusal.kind !== 'unreachable') this.breaker.succeeded();
    else {
      this.#lastFailure = answer.refusal.reason;
      this.breaker.failed();
    }
    for (const listener of this.#listeners) listener(call.name, outcome, (clock.now() - started) / 1_000);
    return answer;
  }

  /** Undefined when there is no use in asking again now. */
  #pauseBefore<T>(
    { waitsForIt = false }: Call<T>,
    { kind, retryAfterMs }: SidecarRefusal,
    attempt: number,
    pauses: Backoff,
  ): number | undefined {
    if (kind === 'unreachable' && attempt < sidecarLimits.attempts)
      return Math.max(this.breaker.pauseMs, pauses.pause(0));
    return kind === 'refused' && waitsForIt ? retryAfterMs : undefined;
  }

  #paused(retryAfterMs: number): SidecarRefusal {
    return {
      kind: 'unreachable',
      reason: this.#lastFailure,
      remedy: 'Start the sidecar, or check its log',
      retryAfterMs,
    };
  }
}

const look = { method: 'GET', limitMs: sidecarLimits.lookMs, onceMs: sidecarLimits.lookOnceMs } as const;
