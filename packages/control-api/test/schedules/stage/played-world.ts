import type { Timer } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { ManualClock } from '@steward/testing/manual-clock';
import type { CommandResult, Operation } from '../../../src/game/operations/operation.ts';
import type { KeyRing } from '../../../src/keys/key-ring.ts';
import { Schedules, type SchedulesParts } from '../../../src/schedules/schedules.ts';
import type { KeptRun, KeptSchedule, ScheduleProgress } from '../../../src/store/tables/schedules.ts';
import { StoreError } from '../../../src/store/tables/store-error.ts';

/** How an action goes from now on. */
export interface ActionPlay {
  readonly takesMs: number;
  readonly fails: boolean;
}

/** What the disk does with what has to be on it: take it, refuse it, or take it and have the process killed over it. */
export type DiskPlay = 'takes' | 'refuses' | 'kills';

export interface Claim {
  readonly id: string;
  readonly run: KeptRun;
  readonly emptySince: number | undefined;
}

/** What was said, and when by the clock of then. */
export interface Told {
  readonly event: StewardEvent;
  readonly at: number;
}

/** A machine on which the service comes and goes: its clock, its disk, and what its actions do. */
export class PlayedWorld {
  readonly clock = new ManualClock(new Date(Date.UTC(2026, 2, 27)));
  /** What was said and what was begun, in its order. */
  readonly record: (Told | Claim)[] = [];
  /** By the number of frames that each sets. */
  readonly underWay = new Map<number, number>();
  mostUnderWay = 0;
  action: ActionPlay = { takesMs: 0, fails: false };
  disk: DiskPlay = 'takes';
  isRunning = true;
  /** Whether something that was said was lost with a process, and may be said again. */
  hasLost = false;
  unreadable: string | undefined;
  isGameStarting = false;
  emptySince: Date | undefined;
  readonly ended = new Set<string>();
  /** Those of a ring, where a test has one. */
  keys: Pick<KeyRing, 'whyEnded' | 'mayComeBack'> = {
    whyEnded: (keyId) => (this.ended.has(keyId) ? 'its key was revoked' : undefined),
    mayComeBack: () => false,
  };
  schedules: Schedules;
  readonly #kept = new Map<string, KeptSchedule>();
  #late: (() => void)[] = [];
  #process = 0;
  #operations = 0;

  constructor() {
    this.schedules = this.#started();
  }

  get now(): number {
    return this.clock.date().getTime();
  }

  keptOf(id: string): KeptSchedule | undefined {
    return this.#kept.get(id);
  }

  /** Time goes by in pieces in which what was begun gets on. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10_000) {
      this.clock.advance(Math.min(left, 10_000));
      await settled();
      this.flush();
    }
  }

  /** What was to be written late is, or is lost with the process. */
  async kill(isLateLost: boolean): Promise<void> {
    this.#process += 1;
    this.isRunning = false;
    if (isLateLost && this.#late.length > 0) {
      this.#late = [];
      this.hasLost = true;
    }
    this.flush();
    this.underWay.clear();
    await settled();
  }

  async startAgain(): Promise<void> {
    if (this.disk === 'kills') this.disk = 'takes';
    this.isRunning = true;
    this.schedules = this.#started();
    await settled();
  }

  flush(): void {
    for (const write of this.#late) write();
    this.#late = [];
  }

  #started(): Schedules {
    const schedules = new Schedules(this.#parts(this.#process));
    schedules.load();
    schedules.start();
    return schedules;
  }

  #parts(process: number): SchedulesParts {
    const isAlive = () => process === this.#process;
    const after = (ms: number, action: () => void): Timer =>
      this.clock.after(ms, () => {
        if (isAlive()) action();
      });
    const clock = { now: () => this.clock.now(), date: () => this.clock.date(), after };
    const never = new Promise<never>(() => {});
    const world = this;
    return {
      clock,
      kept: {
        load: () => [...this.#kept.values()],
        get unreadable() {
          return world.unreadable;
        },
        change: async (put, forget) => {
          for (const each of put) this.#kept.set(each.id, each);
          for (const id of forget) this.#kept.delete(id);
        },
        move: async (id, progress, durability) => {
          if (!isAlive()) return await never;
          if (durability === 'late') this.#late.push(() => this.#move(id, progress));
          else {
            if (this.disk === 'refuses') throw new StoreError('unwritable', 'the disk is full');
            this.flush();
            this.#move(id, progress);
            if (progress.run !== null)
              this.record.push({ id, run: progress.run, emptySince: this.emptySince?.getTime() });
            if (this.disk === 'kills') {
              await this.kill(false);
              return await never;
            }
          }
        },
      },
      runs: {
        save: async () => await this.#act(0, isAlive, after),
        backup: async () => await this.#act(0, isAlive, after),
        announce: async ({ message }) => await this.#act(Number(message), isAlive, after),
        rendering: async ({ fps }) => await this.#act(fps, isAlive, after),
        update: async () => await this.#act(0, isAlive, after),
        drain: async () => await this.#act(0, isAlive, after),
      },
      operations: {
        find: () => undefined,
        decide: () => {},
        follow: () => () => {},
        carryOut: async ({ name }, carry) => {
          const operation = this.#operation(name);
          return {
            kind: 'operation',
            operation: { ...operation, ...(await carry(operation, async () => {})) },
          };
        },
      },
      audit: {
        begin: () => ({
          noted: async () => undefined,
          carry: (work) => work(),
          ended: async () => {},
        }),
      },
      events: {
        append: (event) => {
          if (isAlive()) this.record.push({ event, at: this.now });
          return { event, at: this.clock.date(), cursor: '' } as never;
        },
      },
      whyEnded: (keyId) => this.keys.whyEnded(keyId),
      mayComeBack: (keyId) => this.keys.mayComeBack(keyId),
      emptySince: () => this.emptySince,
      demands: {},
      isGameStarting: () => this.isGameStarting,
      log: { info() {}, warn() {}, error() {} },
    };
  }

  #move(id: string, { doneTo, off, run }: ScheduleProgress): void {
    const kept = this.#kept.get(id);
    if (kept !== undefined) this.#kept.set(id, { ...kept, doneTo, off, run });
  }

  async #act(
    which: number,
    isAlive: () => boolean,
    after: (ms: number, action: () => void) => Timer,
  ): Promise<CommandResult> {
    const { takesMs, fails } = this.action;
    const many = (this.underWay.get(which) ?? 0) + 1;
    this.underWay.set(which, many);
    this.mostUnderWay = Math.max(this.mostUnderWay, many);
    if (takesMs > 0) await new Promise<void>((done) => after(takesMs, done));
    if (isAlive()) this.underWay.set(which, many - 1);
    if (fails) return { kind: 'unavailable', reason: 'no game is connected', retryAfterMs: 1 };
    return { kind: 'operation', operation: { ...this.#operation('save'), state: 'applied' } };
  }

  #operation(command: Operation['command']): Operation {
    this.#operations += 1;
    const at = this.clock.date().toISOString();
    const id = String(this.#operations);
    return { id, command, state: 'claimed', createdAt: at, changedAt: at, fingerprint: '' };
  }
}

/** What has begun has gone as far as it goes without time. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
}
