import { type Clock, pause } from '@steward/service-kit/clock';
import { type StateParams, sectionNames, type WholeState } from '@steward/shared/bridge/state';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { ZodType, z } from 'zod';
import type { SelfHosted, ShownSection } from '../state/bridge-state.ts';
import {
  type ExistingHealth,
  type ExistingReads,
  existingCabins,
  existingFarmhands,
  existingHealth,
  existingPlayers,
  existingRendering,
  existingSettings,
  existingStats,
  existingStatus,
  sectionsOf,
  selfHostedOf,
} from './existing-answers.ts';
import type { ExistingClient } from './existing-client.ts';
import { type DatedStatus, happeningsBetween, hasDate } from './existing-happenings.ts';
import type { ExistingLimits } from './existing-limits.ts';

export interface ExistingWatchParts {
  readonly client: Pick<ExistingClient, 'read' | 'newer'>;
  readonly clock: Clock;
  readonly limits: ExistingLimits;
  readonly push: (sections: StateParams, selfHosted: SelfHosted) => void;
  readonly event: (event: StewardEvent) => void;
  /** With how long it took to answer. */
  readonly health: (health: ExistingHealth, tookMs: number) => void;
}

/** Versions start anew with that server's process; one that waits for an old one would wait for ever. */
const fromTheStart = 0;

/** As of when each is known to hold. */
type ReadTimes = Readonly<Record<ShownSection, Date>>;

/** Something that was read, and as of when it holds by that server's own word. */
interface Read<Body> {
  readonly body: Body;
  readonly at: Date;
}

/** Watches the existing server over one stretch of being there: its long-polls, its health, and what has neither. */
export class ExistingWatch {
  readonly #parts: ExistingWatchParts;
  #reads: ExistingReads;
  #times: ReadTimes;
  #sections: WholeState;
  #selfHosted: SelfHosted;
  #dated: DatedStatus | undefined;
  #signal = AbortSignal.abort();
  #lastLook: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | undefined;

  private constructor(
    parts: ExistingWatchParts,
    { reads, times, before }: { reads: ExistingReads; times: ReadTimes; before: ExistingWatch | undefined },
  ) {
    this.#parts = parts;
    this.#reads = reads;
    this.#times = times;
    this.#sections = sectionsOf(reads);
    this.#selfHosted = selfHostedOf(reads);
    this.#dated = before?.dated;
    this.#noteDate();
  }

  /** Reads everything once, so that the first push is whole. `before`: the watch over the stretch before. */
  static async begin(
    parts: ExistingWatchParts,
    signal: AbortSignal,
    before?: ExistingWatch,
  ): Promise<ExistingWatch> {
    // Before the others: where all of them fail, the reason would name another each time.
    const status = await read(parts, '/status', existingStatus, signal);
    const [players, farmhands, slow] = await Promise.all([
      read(parts, '/players', existingPlayers, signal),
      read(parts, '/farmhands', existingFarmhands, signal),
      readSlow(parts, signal),
    ]);
    return new ExistingWatch(parts, {
      reads: { ...slow.reads, status: status.body, players: players.body, farmhands: farmhands.body },
      times: { ...slow.times, status: status.at, players: players.at, farmhands: farmhands.at },
      before,
    });
  }

  get sections(): WholeState {
    return this.#sections;
  }

  get selfHosted(): SelfHosted {
    return this.#selfHosted;
  }

  /** The last status that had a date, of whatever stretch. */
  get dated(): DatedStatus | undefined {
    return this.#dated;
  }

  /** As of when all of these are known to hold. */
  pushedAt(sections: readonly ShownSection[]): Date {
    return new Date(Math.min(...sections.map((name) => this.#times[name].getTime())));
  }

  /** Rejects when that server is not there any more, or when the signal is given. */
  async run(signal: AbortSignal): Promise<never> {
    const { client, clock } = this.#parts;
    this.#signal = signal;
    const lookAtHealth = async () => {
      const askedAt = clock.now();
      const { body } = await client.read('/health', existingHealth, signal);
      this.#parts.health(body, clock.now() - askedAt);
    };
    return Promise.race([
      this.#newer('status', existingStatus, signal),
      this.#newer('players', existingPlayers, signal),
      this.#newer('farmhands', existingFarmhands, signal),
      lookAtHealth().then(() => this.#every(this.#parts.limits.healthMs, signal, lookAtHealth)),
      this.#every(this.#parts.limits.slowReadMs, signal, () => this.#look(signal)),
    ]);
  }

  /** Looks at once at what is otherwise looked at now and then. */
  look(): void {
    // A failure is the loops' to tell.
    this.#look(this.#signal).catch(() => {});
  }

  /** One look after the other, so that none brings what is older than what is there; all who wait share the next. */
  #look(signal: AbortSignal): Promise<void> {
    this.#nextLook ??= this.#lastLook.then(async () => {
      this.#nextLook = undefined;
      const { reads, times } = await readSlow(this.#parts, signal);
      this.#take(reads, times);
    });
    const look = this.#nextLook;
    this.#lastLook = look.catch(() => {});
    return look;
  }

  async #newer<Name extends 'status' | 'players' | 'farmhands'>(
    name: Name,
    schema: ZodType<ExistingReads[Name]>,
    signal: AbortSignal,
  ): Promise<never> {
    const { client, clock } = this.#parts;
    let since = fromTheStart;
    for (;;) {
      const newer = await client.newer(`/${name}`, since, schema, signal);
      // What was waited for is as fresh as it came; what was there already is as old as that server says.
      const ageMs = since === fromTheStart ? (newer?.ageMs ?? 0) : 0;
      since = newer?.body.version ?? fromTheStart;
      if (newer === undefined) continue;
      const at = new Date(clock.date().getTime() - ageMs);
      // Whoever came or went may have a cabin now, or none: what has no long-poll may have changed with it.
      if (this.#take({ [name]: newer.body }, { [name]: at })) this.look();
    }
  }

  async #every(ms: number, signal: AbortSignal, act: () => Promise<void>): Promise<never> {
    for (;;) {
      await pause(ms, this.#parts.clock, signal);
      signal.throwIfAborted();
      await act();
    }
  }

  /** Hands on what differs: that server counts a version a second, and nobody wants to hear of each. */
  #take(reads: Partial<ExistingReads>, times: Partial<ReadTimes>): boolean {
    this.#reads = { ...this.#reads, ...reads };
    this.#times = { ...this.#times, ...times };
    const before = this.#sections;
    const after = sectionsOf(this.#reads);
    this.#sections = after;
    const changed = sectionNames.filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    const ruled = selfHostedOf(this.#reads);
    const isRuledAnew = JSON.stringify(ruled) !== JSON.stringify(this.#selfHosted);
    if (changed.length === 0 && !isRuledAnew) return false;
    const seen = { sections: before, selfHosted: this.#selfHosted, dated: this.#dated };
    this.#selfHosted = ruled;
    this.#noteDate();
    this.#parts.push(Object.fromEntries(changed.map((name) => [name, after[name]])), ruled);
    for (const event of happeningsBetween(seen, this)) this.#parts.event(event);
    return true;
  }

  #noteDate(): void {
    const { status } = this.#sections;
    if (hasDate(status)) this.#dated = status;
  }
}

type Asking = Pick<ExistingWatchParts, 'client' | 'clock'>;

async function read<Schema extends ZodType>(
  { client, clock }: Asking,
  path: string,
  schema: Schema,
  signal: AbortSignal,
): Promise<Read<z.infer<Schema>>> {
  const askedAt = clock.date().getTime();
  const { body, ageMs } = await client.read(path, schema, signal);
  return { body, at: new Date(askedAt - ageMs) };
}

/** All that has no long-poll. */
async function readSlow(asking: Asking, signal: AbortSignal) {
  const cabins = await read(asking, '/cabins', existingCabins, signal);
  const rendering = await read(asking, '/rendering', existingRendering, signal);
  const stats = await read(asking, '/stats', existingStats, signal);
  const settings = await read(asking, '/settings', existingSettings, signal);
  return {
    reads: {
      cabins: cabins.body,
      rendering: rendering.body,
      stats: stats.body,
      settings: settings.body,
    },
    times: { cabins: cabins.at, rendering: rendering.at, stats: stats.at, settings: settings.at },
  };
}
