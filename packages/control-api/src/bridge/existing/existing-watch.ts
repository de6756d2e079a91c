import type { Clock } from '@steward/service-kit/clock';
import { pause } from '@steward/service-kit/pause';
import type { GameEvent } from '@steward/shared/bridge/events';
import { type StateParams, sectionNames, type WholeState } from '@steward/shared/bridge/state/sections';
import type { ZodType } from 'zod';
import type { SelfHosted } from '../link/self-hosted.ts';
import type { ExistingClient } from './existing-client.ts';
import { happeningsBetween } from './existing-happenings.ts';
import type { ExistingLimits } from './existing-limits.ts';
import { type ExistingReads, sectionsOf, selfHostedOf } from './existing-sections.ts';
import {
  type ExistingHealth,
  existingCabins,
  existingFarmhands,
  existingHealth,
  existingPlayers,
  existingRendering,
  existingSettings,
  existingStats,
  existingStatus,
} from './existing-wire.ts';

export interface ExistingWatchParts {
  readonly client: ExistingClient;
  readonly clock: Clock;
  readonly limits: ExistingLimits;
  readonly push: (sections: StateParams, selfHosted: SelfHosted) => void;
  readonly event: (event: GameEvent) => void;
  readonly health: (health: ExistingHealth) => void;
}

/** Versions start anew with that server's process; one that waits for an old one would wait for ever. */
const fromTheStart = 0;

/** Watches the existing server over one stretch of being there: its long-polls, its health, and what has neither. */
export class ExistingWatch {
  readonly #parts: ExistingWatchParts;
  #reads: ExistingReads;
  #sections: WholeState;
  #selfHosted: SelfHosted;
  #signal = AbortSignal.abort();

  private constructor(parts: ExistingWatchParts, reads: ExistingReads) {
    this.#parts = parts;
    this.#reads = reads;
    this.#sections = sectionsOf(reads);
    this.#selfHosted = selfHostedOf(reads);
  }

  /** Reads everything once, so that the first push is whole. */
  static async begin(parts: ExistingWatchParts, signal: AbortSignal): Promise<ExistingWatch> {
    const { client } = parts;
    const [status, players, farmhands, cabins, rendering, stats, settings] = await Promise.all([
      client.read('/status', existingStatus, signal),
      client.read('/players', existingPlayers, signal),
      client.read('/farmhands', existingFarmhands, signal),
      client.read('/cabins', existingCabins, signal),
      client.read('/rendering', existingRendering, signal),
      client.read('/stats', existingStats, signal),
      client.read('/settings', existingSettings, signal),
    ]);
    return new ExistingWatch(parts, { status, players, farmhands, cabins, rendering, stats, settings });
  }

  get sections(): WholeState {
    return this.#sections;
  }

  get selfHosted(): SelfHosted {
    return this.#selfHosted;
  }

  /** Rejects when that server is not there any more, or when the signal is given. */
  async run(signal: AbortSignal): Promise<never> {
    const { client } = this.#parts;
    this.#signal = signal;
    return Promise.race([
      this.#newer('/status', existingStatus, signal, (status) => ({ status })),
      this.#newer('/players', existingPlayers, signal, (players) => ({ players })),
      this.#newer('/farmhands', existingFarmhands, signal, (farmhands) => ({ farmhands })),
      this.#every(this.#parts.limits.healthMs, signal, async () =>
        this.#parts.health(await client.read('/health', existingHealth, signal)),
      ),
      this.#every(this.#parts.limits.slowReadMs, signal, () => this.#readSlow(signal)),
    ]);
  }

  /** Looks at once at what is otherwise looked at now and then. */
  look(): void {
    // A failure is the loops' to tell.
    this.#readSlow(this.#signal).catch(() => {});
  }

  async #readSlow(signal: AbortSignal): Promise<void> {
    const { client } = this.#parts;
    const cabins = await client.read('/cabins', existingCabins, signal);
    const rendering = await client.read('/rendering', existingRendering, signal);
    const stats = await client.read('/stats', existingStats, signal);
    const settings = await client.read('/settings', existingSettings, signal);
    this.#take({ cabins, rendering, stats, settings });
  }

  async #newer<Body extends { version: number }>(
    path: '/status' | '/players' | '/farmhands',
    schema: ZodType<Body>,
    signal: AbortSignal,
    reads: (body: Body) => Partial<ExistingReads>,
  ): Promise<never> {
    let since = fromTheStart;
    for (;;) {
      const body = await this.#parts.client.newer(path, since, schema, signal);
      since = body?.version ?? fromTheStart;
      if (body !== undefined) this.#take(reads(body));
    }
  }

  async #every(ms: number, signal: AbortSignal, act: () => Promise<void>): Promise<never> {
    for (;;) {
      await act();
      await pause(ms, this.#parts.clock, signal);
      signal.throwIfAborted();
    }
  }

  /** Hands on what differs: that server counts a version a second, and nobody wants to hear of each. */
  #take(reads: Partial<ExistingReads>): void {
    this.#reads = { ...this.#reads, ...reads };
    const before = this.#sections;
    const after = sectionsOf(this.#reads);
    this.#sections = after;
    const changed = sectionNames.filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    const ruled = selfHostedOf(this.#reads);
    const isRuledAnew = JSON.stringify(ruled) !== JSON.stringify(this.#selfHosted);
    if (changed.length === 0 && !isRuledAnew) return;
    this.#selfHosted = ruled;
    this.#parts.push(Object.fromEntries(changed.map((name) => [name, after[name]])), ruled);
    for (const event of happeningsBetween(before, after)) this.#parts.event(event);
  }
}
