import { type Clock, pause } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import { Problem } from '@steward/shared/problems/problem';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { RecordFile, RestoreRecord } from './restore-record.ts';
import {
  clearEmptyStage,
  clearStages,
  rollForward,
  StageMissing,
  type SwapSteps,
  swapSteps,
  takeBack,
} from './swap.ts';

/** Between two tries to finish what a disk keeps from being finished. */
const againMs = 5_000;

/** Who holds what a file had, and takes up what it has once it was replaced; nobody changes it meanwhile. */
export interface Replaceable {
  whileReplaced(replace: () => Promise<void>): Promise<void>;
}

export interface PlacingParts {
  readonly record: RecordFile;
  /** The folders in which a restore replaces anything: what a record says of others is not done. */
  readonly folders: () => Promise<readonly string[]>;
  readonly bridge: Pick<GameBridge, 'holdGame'>;
  readonly settings: Replaceable;
  readonly owners: Replaceable;
  readonly bans: Replaceable;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Aborted when this service stops. */
  readonly signal: AbortSignal;
  /** Replaced in tests: the steps on the disk. */
  readonly steps?: SwapSteps;
}

/** The disk keeps a swap from being finished, and this service ends: the next start goes on with it. */
export class Unfinished extends Error {}

/** Puts in place what was unpacked, with a record of how far it has come: nothing but completion can follow, or all the way back. */
export class Placing {
  readonly #parts: PlacingParts;
  /** How far the last restore has come, in this process or in the one before. */
  #last: RestoreRecord | undefined;
  #unfinished: MendableTrouble | undefined;
  #toFinish: RestoreRecord | undefined;

  constructor(parts: PlacingParts) {
    this.#parts = parts;
  }

  get #steps(): SwapSteps {
    return this.#parts.steps ?? swapSteps;
  }

  get last(): RestoreRecord | undefined {
    return this.#last;
  }

  /** Why the farm may be half of one day and half of another; no game may come until it is not. */
  get unfinished(): MendableTrouble | undefined {
    return this.#unfinished;
  }

  /** What was cut off, and may be finished later; undefined also where its record names folders that are not to be touched. */
  get toFinish(): RestoreRecord | undefined {
    return this.#toFinish;
  }

  /** Finishes what an earlier process was killed in, while nobody has read the farm's files yet. */
  async recover(): Promise<void> {
    const { record, log } = this.#parts;
    const found = await record.read();
    if (found !== undefined && 'reason' in found) {
      this.#unfinished = found;
      log.error({ remedy: found.remedy }, found.reason);
      return;
    }
    if (found === undefined) {
      await this.clearLeftovers();
      return;
    }
    this.#last = found;
    const folders = await this.#parts.folders();
    const places = found.places.filter(({ root }) => folders.includes(root));
    if (found.phase === 'swapping' && places.length < found.places.length) {
      this.#unfinished = {
        reason: `${record.path} names folders that are not this farm's, so a restore that was cut off is not finished`,
        remedy: `Set GAME_SAVES_DIR, SETTINGS_PATH and STATE_DIR as they were and start the service again; or look whether the farm is whole, and remove ${record.path}`,
      };
      log.error({ remedy: this.#unfinished.remedy }, this.#unfinished.reason);
      return;
    }
    // What was unpacked may be what has filled the disk: it goes, whether that can be noted or not.
    if (found.phase === 'unpacking') await this.#end(found, 'undone', wasEnded).catch(() => {});
    try {
      if (found.phase === 'swapping') {
        await rollForward(places, this.#steps);
        await this.#end(found, 'restored');
        log.info({ backupId: found.backup.id }, 'an interrupted restore was finished');
      }
    } catch (error) {
      this.#cannotFinish(error);
      this.#toFinish = found;
      return;
    }
    await this.clearLeftovers();
  }

  /** What the last restore has left goes; what no restore that is known has left is told of. */
  async clearLeftovers(): Promise<void> {
    const { folders, log } = this.#parts;
    for (const root of await folders()) {
      const place = this.#last?.places.find((each) => each.root === root);
      if (place !== undefined) {
        await this.#cleared({ places: [place] });
        continue;
      }
      // As a rule of a process that was killed while it tried whether it may write there, and so empty.
      const stays = await clearEmptyStage(root).catch((error) => this.#cannotClear(error));
      if (stays !== undefined) log.warn({ remedy: stays.remedy }, stays.reason);
    }
  }

  /** To be called before what it says is done. */
  async note(record: RestoreRecord): Promise<void> {
    try {
      await this.#parts.record.write(record);
    } catch (error) {
      throw new Problem(
        'state-unwritable',
        `A restore is recorded in STATE_DIR before anything is changed, and STATE_DIR cannot be written (${errorCode(error) ?? error}): free some space, let the service write there, and try again`,
      );
    }
    this.#last = record;
  }

  /** Nothing of it was put in place, and its stages go. */
  async giveUp(record: RestoreRecord, why: string): Promise<void> {
    // First, as where it is noted that it is to be put in place the next start would miss the stages.
    await this.#end(record, 'undone', why).catch(() => {});
    await this.#cleared(record);
  }

  /** Throws where everything is as it was before. A disk that allows neither is tried again and again, and the game stays away. */
  async put(swapping: RestoreRecord): Promise<void> {
    const { bridge, clock, signal } = this.#parts;
    for (;;) {
      const problem = await this.#tried(swapping);
      if (problem === undefined) break;
      if (problem instanceof Problem) throw problem;
      // One that nobody here can stop is no reason to give up what is half done.
      await bridge.holdGame('restore', this.#cannotFinish(problem)).catch(() => {});
      if (!signal.aborted) await pause(againMs, clock, signal).catch(() => {});
      if (signal.aborted) throw new Unfinished('this service was stopped before it could finish the restore');
    }
    await this.#cleared(swapping);
  }

  /** What keeps it from being finished; a Problem where it was taken back. */
  async #tried(swapping: RestoreRecord): Promise<unknown> {
    const { places } = swapping;
    try {
      await this.#whileReplaced(() => rollForward(places, this.#steps));
      await this.#end(swapping, 'restored');
      return undefined;
    } catch (error) {
      const reason = `The unpacked files could not be moved into place (${errorCode(error) ?? error})`;
      try {
        await this.#whileReplaced(() => takeBack(places, this.#steps));
        await this.#end(swapping, 'undone', reason);
      } catch {
        return error;
      }
      await this.#cleared(swapping);
      const where = places.map(({ root }) => root).join(', ');
      return new Problem(
        'backup-failed',
        `${reason}: nothing has changed. Let the service write to ${where}, and try again`,
      );
    }
  }

  /** Those who hold what is replaced neither write it meanwhile, nor go on with what it was. */
  async #whileReplaced(replace: () => Promise<void>): Promise<void> {
    const { settings, owners, bans } = this.#parts;
    await settings.whileReplaced(() => owners.whileReplaced(() => bans.whileReplaced(replace)));
  }

  #cannotFinish(error: unknown): MendableTrouble {
    const isMissing = error instanceof StageMissing;
    const why = isMissing ? error.message : (errorCode(error) ?? error);
    const reason = `a restore has started to replace the saves and cannot finish (${why}): until it does, the game stays stopped`;
    if (reason === this.#unfinished?.reason) return this.#unfinished;
    const remedy = isMissing
      ? `If ${error.root} is a volume, mount it; Steward retries by itself. If it is as it should be, check that the farm is complete, remove ${this.#parts.record.path}, and restart the service`
      : 'Let the service write to GAME_SAVES_DIR and STATE_DIR, and free some space there; Steward retries by itself';
    this.#unfinished = { reason, remedy };
    this.#parts.log.error({ err: error, remedy }, reason);
    return this.#unfinished;
  }

  async #end(record: RestoreRecord, phase: 'restored' | 'undone', why?: string): Promise<void> {
    const ended = { ...record, phase, ...(why === undefined ? {} : { why }) };
    await this.#parts.record.write(ended);
    this.#last = ended;
    this.#unfinished = undefined;
  }

  async #cleared({ places }: Pick<RestoreRecord, 'places'>): Promise<void> {
    await clearStages(places, this.#steps).catch((error) => this.#cannotClear(error));
  }

  #cannotClear(error: unknown): undefined {
    this.#parts.log.warn({ err: error }, 'temporary files of a restore beside the saves cannot be deleted');
  }
}

export const wasEnded = 'this service was stopped before anything was changed';
