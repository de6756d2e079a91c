import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { Trouble } from '@steward/shared/problems/trouble';
import { timestampOf } from '@steward/shared/wire-values';
import {
  incompleteProblem,
  type OwnershipFile,
  type OwnershipProblem,
  unreadableProblem,
  unwritableProblem,
} from './ownership-file.ts';
import { emptyMap, type OwnershipMap } from './ownership-map.ts';

/** A farm as the game tells of it: its save, and all its slots. */
export interface FarmSlots {
  readonly farmId: string;
  readonly saveGeneration: number;
  readonly slots: readonly { readonly id: string; readonly name?: string; readonly isCustomized: boolean }[];
  /** Whether these are all the slots that the farm has: one that is still loading may show fewer. */
  readonly isComplete: boolean;
}

interface RegisterNews {
  /** Told whenever the map of a farm is there for the first time. */
  readonly opened?: (farmId: string, map: OwnershipMap) => void;
  /** Told of each change once it is on the disk. */
  readonly committed?: (farm: FarmSlots, before: OwnershipMap, after: OwnershipMap) => void;
}

const corruptAndLoading = {
  reason: 'is corrupt, and the game has not shown every farmhand of this farm yet',
  remedy: 'Let the game finish loading the farm, then a new map is created; or replace it with a good one',
};

/** Between two tries to write what could not be written. */
const writeAgainMs = 5_000;

/** Holds the map of the farm that is loaded, and lets nothing count that is not on the disk. */
export class OwnershipRegister {
  readonly #file: OwnershipFile;
  readonly #log: Log;
  readonly #clock: Pick<Clock, 'date' | 'now'>;
  readonly #news: RegisterNews;
  #revision = 0;
  #farm: FarmSlots | undefined;
  #map: OwnershipMap | undefined;
  /** What is on the disk: the map itself may be further on. */
  #written = emptyMap;
  #unsaved = false;
  #writeAt = 0;
  #unreadable: OwnershipProblem | undefined;
  #unwritable: OwnershipProblem | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: OwnershipFile, log: Log, clock: Pick<Clock, 'date' | 'now'>, news: RegisterNews = {}) {
    this.#news = news;
    this.#file = file;
    this.#log = log;
    this.#clock = clock;
  }

  get farmId(): string | undefined {
    return this.#map === undefined ? undefined : this.#farm?.farmId;
  }

  get map(): OwnershipMap | undefined {
    return this.#map;
  }

  /** The last write failed, and it is time to try again. */
  get wantsWriting(): boolean {
    return this.#unwritable !== undefined && this.#clock.now() >= this.#writeAt;
  }

  /** Another number whenever the map or a problem is another. */
  get revision(): number {
    return this.#revision;
  }

  /** Nearest cause first. */
  get problems(): readonly OwnershipProblem[] {
    const doubts = this.#map?.doubts;
    const incomplete =
      doubts === undefined
        ? undefined
        : incompleteProblem(doubts.farmhands.length, doubts.aside, new Date(doubts.since));
    return [this.#unreadable, this.#unwritable, incomplete].filter((problem) => problem !== undefined);
  }

  /** One at a time: each decides from what the one before has written. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  /** The farm's map, read when it is first asked for. What could not be read is tried again each time. */
  async open(farm: FarmSlots): Promise<Parsed<OwnershipMap>> {
    const isAnother = this.#farm?.farmId !== farm.farmId;
    if (isAnother) await this.#leave();
    this.#farm = farm;
    if (this.#map !== undefined && !isAnother) return accepted(this.#map);
    if (this.#map !== undefined) this.#revision += 1;
    this.#map = undefined;
    this.#written = emptyMap;
    this.#unsaved = false;
    const content = await this.#file.read(farm.farmId);
    switch (content.kind) {
      case 'map':
        return this.#opened(content.map);
      case 'absent':
        return this.#opened(emptyMap);
      case 'closed':
        return this.#closed(content);
      case 'corrupt':
        return this.#beginAnew(farm, content.bytes);
    }
  }

  /** Throws when the map cannot be kept; then everything is as it was. */
  async commit(changed: OwnershipMap): Promise<void> {
    const farm = this.#farm;
    if (farm === undefined) throw new Error('no farm is loaded');
    const map = { ...changed, saveGeneration: Math.max(changed.saveGeneration, farm.saveGeneration) };
    try {
      await this.#file.write(farm.farmId, map);
    } catch (error) {
      this.#cannotWrite(error);
      throw error;
    }
    this.#revision += 1;
    this.#map = map;
    this.#unsaved = false;
    if (this.#unwritable !== undefined) this.#log.info({}, 'the ownership map can be written again');
    this.#unwritable = undefined;
    const before = this.#written;
    this.#written = map;
    this.#news.committed?.(farm, before, map);
  }

  /** Holds on to what has happened already, whether or not it can be written now. */
  async commitOrRetry(map: OwnershipMap): Promise<void> {
    this.#revision += 1;
    this.#map = map;
    this.#unsaved = true;
    await this.commit(map).catch(() => {});
  }

  /** While somebody else puts other maps in their place: nothing is written, and what was known of them is forgotten. */
  whileReplaced(replace: () => Promise<void>): Promise<void> {
    return this.exclusively(async () => {
      await replace();
      this.#farm = undefined;
      this.#map = undefined;
      this.#written = emptyMap;
      this.#unsaved = false;
      this.#unreadable = undefined;
      this.#unwritable = undefined;
      this.#revision += 1;
    });
  }

  /** Resolves when nothing is being written any more, and what could not be has been tried once more. */
  async close(): Promise<void> {
    await this.exclusively(async () => {
      if (this.#unsaved && this.#map !== undefined) await this.commitOrRetry(this.#map);
    });
  }

  /** The farm's last chance to have written what could not be. */
  async #leave(): Promise<void> {
    if (!this.#unsaved || this.#map === undefined) return;
    await this.commitOrRetry(this.#map);
    if (this.#unsaved)
      this.#log.error(
        { farmId: this.farmId },
        'another farm is loaded, and the last changes to the ownership map of this one could not be written: they are lost',
      );
  }

  #opened(map: OwnershipMap): Parsed<OwnershipMap> {
    this.#revision += 1;
    this.#unreadable = undefined;
    this.#map = map;
    this.#written = map;
    if (this.#farm !== undefined) this.#news.opened?.(this.#farm.farmId, map);
    return accepted(map);
  }

  #closed(why: Trouble): Parsed<OwnershipMap> {
    const path = this.#file.path(this.#farm?.farmId ?? '');
    const problem = unreadableProblem(path, why, this.#unreadable?.since ?? this.#clock.date());
    if (this.#unreadable?.reason !== problem.reason)
      this.#log.error({ remedy: problem.remedy }, problem.reason);
    this.#revision += 1;
    this.#unreadable = problem;
    return refused(problem.reason);
  }

  /** Nothing of the lost map is guessed: every farmhand that is somebody's is in doubt. */
  async #beginAnew(farm: FarmSlots, bytes: Uint8Array): Promise<Parsed<OwnershipMap>> {
    // A farmhand that shows itself later would be taken for one that never had an owner.
    if (!farm.isComplete) return this.#closed(corruptAndLoading);
    const date = this.#clock.date();
    try {
      const aside = await this.#file.keepAside(farm.farmId, bytes, date);
      const farmhands = farm.slots.filter(({ isCustomized }) => isCustomized).map(({ id }) => id);
      const doubts = { since: timestampOf(date), aside, farmhands };
      await this.commit(farmhands.length === 0 ? emptyMap : { ...emptyMap, doubts });
      const { reason, remedy } = incompleteProblem(farmhands.length, aside, date);
      this.#log.error({ remedy }, reason);
    } catch (error) {
      return this.#closed({
        reason: `is corrupt and cannot be kept aside (${errorCode(error) ?? 'unknown error'})`,
      });
    }
    return this.#opened(this.#map ?? emptyMap);
  }

  #cannotWrite(error: unknown): void {
    const path = this.#file.path(this.#farm?.farmId ?? '');
    const problem = unwritableProblem(
      path,
      errorCode(error) ?? 'unknown error',
      this.#unwritable?.since ?? this.#clock.date(),
    );
    if (this.#unwritable === undefined)
      this.#log.error({ err: error, remedy: problem.remedy }, problem.reason);
    this.#revision += 1;
    this.#unwritable = problem;
    this.#writeAt = this.#clock.now() + writeAgainMs;
  }
}
