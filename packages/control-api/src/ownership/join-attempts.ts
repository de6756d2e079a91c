import type { Clock } from '@steward/service-kit/clock';
import type { MayJoinResult } from '@steward/shared/bridge/methods';
import type { Visitor } from './visitor.ts';

/** A client asks again and again while its player chooses; after such a silence it is a new try. */
const silenceMs = 120_000;

/** More connections than this at once are nobody's players. */
const mostAttempts = 1_000;

/** Knows which connections are trying to join already, so that each try is told of once. */
export class JoinAttempts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lastAsked = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** True for the first question of a try. */
  begins(connectionId: string): boolean {
    const now = this.#clock.now();
    const last = this.#lastAsked.get(connectionId);
    this.#lastAsked.delete(connectionId);
    this.#lastAsked.set(connectionId, now);
    const [oldest] = this.#lastAsked.keys();
    if (this.#lastAsked.size > mostAttempts && oldest !== undefined) this.#lastAsked.delete(oldest);
    return last === undefined || now - last > silenceMs;
  }

  /** A network id is the same each time its player comes. */
  ended(connectionId: string): void {
    this.#lastAsked.delete(connectionId);
  }
}

/** Refusals that are told within a minute: a connection id costs nothing, and each one is read by somebody. */
const toldAtMost = { refusals: 60, withinMs: 60_000 } as const;

/** Knows which refusals are news: one for each try, and never a flood. The log has them all. */
export class RefusalNews {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #tries: JoinAttempts;
  #toldAt: number[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#tries = new JoinAttempts(clock);
  }

  isNews(connectionId: string, farmhandId: string): boolean {
    if (!this.#tries.begins(`${connectionId} ${farmhandId}`)) return false;
    const now = this.#clock.now();
    this.#toldAt = this.#toldAt.filter((at) => now - at < toldAtMost.withinMs);
    if (this.#toldAt.length >= toldAtMost.refusals) return false;
    this.#toldAt.push(now);
    return true;
  }
}

/** A game may take this long from the approval to the arrival: it lets nobody in while it saves. */
const longestWayMs = 120_000;

/** Slots whose claim was approved and whose player the game has not shown yet: no such claim is abandoned. */
export class AwaitedArrivals {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #awaited = new Map<string, { readonly connectionId: string; readonly until: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** One connection takes one farmhand: whichever it was approved for before, it has thought better of. */
  approved(farmhandId: string, connectionId: string): void {
    for (const [other, { connectionId: by }] of this.#awaited)
      if (by === connectionId) this.#awaited.delete(other);
    this.#awaited.set(farmhandId, { connectionId, until: this.#clock.now() + longestWayMs });
  }

  /** With a connection: where it is that one that is awaited. One that ends late is no end of the next. */
  ended(farmhandId: string, connectionId?: string): void {
    const by = this.#awaited.get(farmhandId)?.connectionId;
    if (connectionId === undefined || connectionId === by) this.#awaited.delete(farmhandId);
  }

  /** The connection that was approved. */
  of(farmhandId: string): string | undefined {
    this.#giveUp();
    return this.#awaited.get(farmhandId)?.connectionId;
  }

  isAwaited = (farmhandId: string): boolean => this.of(farmhandId) !== undefined;

  get any(): boolean {
    return this.#awaited.size > 0;
  }

  #giveUp(): void {
    const now = this.#clock.now();
    for (const [farmhandId, { until }] of this.#awaited) if (until <= now) this.#awaited.delete(farmhandId);
  }
}

export interface JoinCount {
  readonly path: Visitor['path'];
  readonly decision: MayJoinResult['decision'];
  readonly count: number;
}

/** How often which decision was made for those who came which way. */
export class JoinCounts {
  readonly #counts = new Map<string, JoinCount>();
  readonly #objections = new Map<string, number>();

  decided(path: Visitor['path'], decision: MayJoinResult['decision']): void {
    const key = `${path} ${decision}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { path, decision, count });
  }

  /** Somebody was told that they may not come in, whatever they would take. */
  objected(why: string): void {
    this.#objections.set(why, (this.#objections.get(why) ?? 0) + 1);
  }

  get objections(): ReadonlyMap<string, number> {
    return this.#objections;
  }

  get all(): readonly JoinCount[] {
    return [...this.#counts.values()];
  }
}
