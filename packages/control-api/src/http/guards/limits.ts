import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest } from 'fastify';
import { owner } from '../../keys/caller.ts';
import { changesSomething } from '../parameters/check-parameters.ts';
import { clientOf } from './client-address.ts';

export interface AttemptLimit {
  readonly attempts: number;
  readonly windowMs: number;
}

/** Writes from one address: far more than a person or a bot does, far fewer than would hold up a game. */
export const writeLimit: AttemptLimit = { attempts: 120, windowMs: 60_000 };

/** More addresses than this are not remembered: the oldest window is forgotten first. */
const addressLimit = 10_000;

/** Counts the writes of each address, and tells it with every answer how many it has left. */
export function limitWrites(server: HttpServer, limit: AttemptLimit, now: () => number): void {
  const writes = new Attempts(limit, now);
  server.addHook('onRequest', (request, reply, done) => {
    if (!changesSomething(request.method) || request.is404) return done();
    const { left, resetSeconds, waitSeconds } = writes.count(writerOf(request));
    reply.header('ratelimit-limit', limit.attempts);
    reply.header('ratelimit-remaining', left);
    reply.header('ratelimit-reset', resetSeconds);
    if (waitSeconds === undefined) done();
    else done(tooMany('writes', waitSeconds));
  });
}

/** Others at an address use up what it has, the owner apart: whoever floods it must not keep the owner from ending their key. */
function writerOf({ caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): string {
  const address = clientOf(ip);
  return caller === owner ? `${owner.name} ${address}` : address;
}

export function tooMany(what: string, waitSeconds: number): Problem {
  return new Problem(
    'too-many-requests',
    `Too many ${what} from this address: try again in ${waitSeconds} seconds`,
    { retry: true },
    { 'retry-after': String(waitSeconds) },
  );
}

/** What an attempt has left its address. */
interface Counted {
  readonly left: number;
  /** In so many seconds it has all of them again. */
  readonly resetSeconds: number;
  /** For how many seconds there is no use in another; undefined where this one was within the limit. */
  readonly waitSeconds: number | undefined;
}

interface Window {
  readonly from: number;
  count: number;
}

/** Counts attempts by address, in windows that begin with the first one. */
export class Attempts {
  readonly #limit: AttemptLimit;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor(limit: AttemptLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one attempt. */
  count(address: string): Counted {
    const now = this.#now();
    const window = this.#window(address, now);
    window.count += 1;
    const left = this.#limit.attempts - window.count;
    const resetSeconds = this.#resetSeconds(window, now);
    return { left: Math.max(0, left), resetSeconds, waitSeconds: left < 0 ? resetSeconds : undefined };
  }

  /** How many attempts an address has made in its window. */
  made(address: string): number {
    return this.#known(address, this.#now())?.count ?? 0;
  }

  /** For how many seconds an address has no attempt left. */
  spent(address: string): number | undefined {
    const now = this.#now();
    const window = this.#known(address, now);
    if (window === undefined || window.count < this.#limit.attempts) return undefined;
    return this.#resetSeconds(window, now);
  }

  #resetSeconds({ from }: Window, now: number): number {
    return Math.max(1, Math.ceil((from + this.#limit.windowMs - now) / 1_000));
  }

  #known(address: string, now: number): Window | undefined {
    const window = this.#windows.get(address);
    return window !== undefined && now - window.from < this.#limit.windowMs ? window : undefined;
  }

  #window(address: string, now: number): Window {
    const known = this.#known(address, now);
    if (known !== undefined) return known;
    const window = { from: now, count: 0 };
    // Deleted first, so that the map stays in the order in which windows began.
    this.#windows.delete(address);
    this.#windows.set(address, window);
    if (this.#windows.size > addressLimit) this.#windows.delete(this.#windows.keys().next().value ?? '');
    return window;
  }
}
