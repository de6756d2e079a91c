import type { Clock } from '@steward/service-kit/clock';
import type { ContentServer } from '../../platform/platform-session.ts';
import type { RequestFailure } from './content-request.ts';
import { ServerState } from './server-state.ts';

/** One that is slower than the best by more than this is left idle rather than asked: its chunk would come last. */
const mostTimesSlower = 8;

/** Where every server fails and nothing has come from any for this long, nobody asks them again. A router that starts anew takes a minute or two. */
const longestOutageMs = 120_000;

export interface Need {
  readonly appId: number;
  readonly depotId: number;
}

/** Knows every content server, and which of them to ask next. */
export class ServerBoard {
  readonly #clock: Clock;
  readonly #servers = new Map<string, ServerState>();
  /** Those that have asked for a pause, and were not asked again since. */
  readonly #awaited = new Set<ServerState>();
  /** The first failure after which nothing has come. */
  #failingSince: number | undefined;
  #failedAt = 0;
  #changed = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds those that are new; what is known of the others stays. */
  add(servers: readonly ContentServer[]): void {
    for (const server of servers.toSorted((one, other) => one.load - other.load))
      if (!this.#servers.has(server.address)) this.#servers.set(server.address, new ServerState(server));
    this.changed();
  }

  /** Those that may still have it; the patience of whoever asks is his own, and ends for everybody after a long outage. */
  candidates(need: Need, tries: Tries): ServerState[] {
    const left = this.#worthwhile(need, tries);
    const isOver = this.#outageIsLong && left.every((state) => hasFailed(state, need, tries));
    return isOver && !left.some((state) => this.#awaited.has(state)) ? [] : left;
  }

  allHaveFailed(need: Need, tries: Tries): boolean {
    return this.#worthwhile(need, tries).every((state) => hasFailed(state, need, tries));
  }

  /** The best server, as soon as one is free, counted as active; undefined when there is none left to wait for. */
  async take(need: Need, tries: Tries, signal: AbortSignal): Promise<ServerState | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const candidates = this.candidates(need, tries);
      if (candidates.length === 0) return undefined;
      const now = this.#clock.now();
      const open = candidates.filter((state) => state.isOpen(need.depotId));
      // Where nobody else is there, one that refused may have it after all.
      if (open.every(({ isAway }) => isAway))
        for (const state of candidates) state.reopenDepot(need.depotId, now);
      const chosen = choose(open, tries, now);
      if (chosen !== undefined) {
        chosen.active += 1;
        return chosen;
      }
      await this.#somethingChanges(candidates, now, signal);
    }
  }

  release(state: ServerState): void {
    state.active -= 1;
    this.changed();
  }

  /** Content comes, from whomever and for whomever. */
  came(): void {
    this.#failingSince = undefined;
  }

  failed(state: ServerState, { kind, retryAfterMs }: RequestFailure): void {
    this.#failedAt = this.#clock.now();
    this.#failingSince ??= this.#failedAt;
    if (retryAfterMs === undefined || this.#outageIsLong) this.#awaited.delete(state);
    else this.#awaited.add(state);
    state.failed(kind, this.#failedAt, retryAfterMs);
    this.changed();
  }

  /** Whoever waits for a server looks again. */
  changed(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  get #outageIsLong(): boolean {
    return this.#failingSince !== undefined && this.#failedAt - this.#failingSince >= longestOutageMs;
  }

  #worthwhile({ appId }: Need, tries: Tries): ServerState[] {
    return [...this.#servers.values()].filter((state) => state.serves(appId) && tries.isWorthwhile(state));
  }

  /** `now` is when they were looked at: by another look a pause may be over, and nothing would end this wait. */
  async #somethingChanges(
    candidates: readonly ServerState[],
    now: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pauses = candidates.map(({ pausedUntil }) => pausedUntil).filter((until) => until > now);
    const timer = pauses.length > 0 ? this.#clock.after(Math.min(...pauses) - now, resolve) : undefined;
    const abort = () => resolve();
    signal.addEventListener('abort', abort, { once: true });
    await Promise.race([promise, this.#changed.promise]);
    signal.removeEventListener('abort', abort);
    timer?.cancel();
  }
}

function hasFailed(state: ServerState, { depotId }: Need, tries: Tries): boolean {
  return state.isAway || state.refuses(depotId) || tries.points(state) > 0;
}

function choose(candidates: readonly ServerState[], tries: Tries, now: number): ServerState | undefined {
  const awake = candidates.filter(({ pausedUntil }) => pausedUntil <= now);
  const best = Math.max(0, ...awake.map(({ speed }) => speed ?? 0));
  const free = awake.filter((state) => state.hasRoom(now) && (state.speed ?? best) * mostTimesSlower >= best);
  // Sorting keeps the platform's order among equals.
  const [first] = free.sort(
    (one, other) => tries.points(one) - tries.points(other) || delay(one) - delay(other),
  );
  return first;
}

/** How long a request would take, by what is known; one that nobody has tried yet comes first, to be known. */
function delay({ active, speed }: ServerState): number {
  return speed === undefined ? 0 : (active + 1) / speed;
}

/** What a failure costs: a server without the right bytes will hardly have them soon, one that is not there may come back. */
const costs = { unreachable: 1, busy: 1, refused: 6, missing: 6, damaged: 6 };
/** With pauses that double up to half a minute, a server may be away for longer than an outage of all of them may last. */
const patience = 13;
/** More would fill the screen and say no more. */
const mostNamed = 3;

/** What was tried for one piece of content, on which server. */
export class Tries {
  readonly #points = new Map<ServerState, number>();
  readonly #words = new Map<string, string>();

  points(state: ServerState): number {
    return this.#points.get(state) ?? 0;
  }

  isWorthwhile(state: ServerState): boolean {
    return this.points(state) < patience;
  }

  failed(state: ServerState, { kind, message }: RequestFailure): void {
    this.#points.set(state, this.points(state) + costs[kind]);
    this.#words.set(state.server.address, message);
  }

  /** The last word of each server. */
  get summary(): string {
    const all = [...this.#words].map(([address, words]) => `${address} ${words}`);
    const rest = all.length - mostNamed;
    return [...all.slice(0, mostNamed), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
  }
}
