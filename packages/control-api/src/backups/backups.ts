import { stat } from 'node:fs/promises';
import { type Clock, every } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { codeInBrackets } from '@steward/service-kit/process/errors';
import { SettledTime } from '@steward/service-kit/settled-time';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import { Problem } from '@steward/shared/problems/problem';
import { shuttingDown } from '@steward/shared/problems/shutting-down';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult, Ending, Operation } from '../game/operations/operation.ts';
import type { Archivist } from './archive/archivist.ts';
import { BackupDirectory, type FoundBackups, notFound, type UnreadableBackup } from './backup-directory.ts';
import { BackupMaking, type BackupMakingParts, backupsOff, type NewBackup, toldOf } from './backup-making.ts';
import { FarmFiles, type FarmFilesParts } from './farm-files.ts';
import { isSameFarm, type KeepRule, surplus, textOfRule } from './retention.ts';
import { neverSaved, SaveWatch } from './save-watch.ts';

export const backupLimits = {
  /** After so long whoever asked is told that it is under way. */
  answerMs: 25_000,
  /** What lies in BACKUP_DIR is looked at so often, for the metrics: somebody may have deleted something. */
  lookMs: 600_000,
} as const;

export interface ListedBackups {
  readonly backups: readonly BackupFacts[];
  readonly unreadable: readonly UnreadableBackup[];
  readonly bytes: number;
  readonly freeBytes: number;
  readonly rule: string;
}

/** How backups fare, for the metrics. */
export interface BackupStanding {
  readonly count: number;
  readonly unreadable: number;
  readonly bytes: number;
  readonly newestAt: Date | undefined;
  readonly made: number;
  readonly failed: number;
  /** How the last one went that was begun here, and how long it took. */
  readonly last: { readonly isMade: boolean; readonly ms: number } | undefined;
}

export interface BackupsParts
  extends FarmFilesParts,
    Pick<BackupMakingParts, 'stateDirectory' | 'version' | 'copyDatabase'> {
  /** BACKUP_DIR; where it or GAME_SAVES_DIR is empty there are no backups. */
  readonly directory: string;
  readonly rule: KeepRule;
  /** Whether a farmhand is deleted only once there is one. */
  readonly beforeDelete: boolean;
  readonly bridge: Pick<GameBridge, 'state' | 'follow' | 'events' | 'operations'>;
  readonly archivist: Archivist;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** Backups: made, listed, thinned out and deleted; what lies in BACKUP_DIR is all that is known of them. */
export class Backups {
  readonly #parts: BackupsParts;
  readonly #directory: BackupDirectory;
  readonly #watch: SaveWatch;
  readonly #making: BackupMaking;
  readonly #stopping = new AbortController();
  readonly #settled: SettledTime;
  /** Whatever works on backups or on the farm's files now, and what it does. */
  #turn: { readonly what: string; readonly over: Promise<unknown> } | undefined;
  #found: FoundBackups = { backups: [], unreadable: [], bytes: 0 };
  #counts = { made: 0, failed: 0 };
  #last: BackupStanding['last'];
  #stopLooking = () => {};

  constructor(parts: BackupsParts) {
    this.#parts = parts;
    this.#settled = new SettledTime(parts.clock);
    this.#directory = new BackupDirectory({ path: parts.directory, archivist: parts.archivist });
    this.#watch = new SaveWatch(parts);
    const [directory, files] = [this.#directory, new FarmFiles(parts)];
    this.#making = new BackupMaking({ ...parts, directory, files, watch: this.#watch });
  }

  get isOn(): boolean {
    return this.#parts.directory !== '' && this.#parts.savesDirectory !== '';
  }

  get areMadeBeforeDelete(): boolean {
    return this.#parts.beforeDelete;
  }

  get standing(): BackupStanding {
    const { backups, unreadable, bytes } = this.#found;
    const now = this.#parts.clock.date().getTime();
    // One of a clock that was ahead would be the newest for as long, and hide that none is made any more.
    const newest = backups.find(({ facts }) => Date.parse(facts.madeAt) <= now);
    const newestAt = newest && new Date(newest.facts.madeAt);
    const found = { count: backups.length, unreadable: unreadable.length, bytes, newestAt };
    return { ...found, ...this.#counts, last: this.#last };
  }

  /** Takes away what a kill has left, and settles how what it ended has ended. */
  async load(): Promise<void> {
    if (!this.isOn) return;
    const { clock, log, bridge, directory } = this.#parts;
    try {
      await this.#directory.make();
      await this.#directory.tidy(clock.date());
    } catch (error) {
      const remedy = 'Let the service create that directory, or write to it';
      log.warn({ err: error, directory, remedy }, `BACKUP_DIR cannot be used${codeInBrackets(error)}`);
    }
    await this.#look();
    bridge.operations.decide(['createBackup'], (left) => this.#endingOf(left));
  }

  start(): void {
    if (!this.isOn) return;
    const { clock, log } = this.#parts;
    const look = () => this.#look().catch((error) => log.warn({ err: error }, 'BACKUP_DIR cannot be read'));
    this.#stopLooking = every(clock, backupLimits.lookMs, () => void look());
  }

  /** What is under way is given up, and nothing is left of it. */
  async stop(): Promise<void> {
    this.#stopLooking();
    this.#stopping.abort(shuttingDown('The service is stopping: the backup was dropped'));
    await this.#turn?.over;
  }

  async list(): Promise<ListedBackups> {
    this.#demandOn();
    await this.#look();
    const { backups, unreadable, bytes } = this.#found;
    const rule = textOfRule(this.#parts.rule);
    const freeBytes = await this.#directory.freeBytes().catch(() => 0);
    return { backups: backups.map(({ facts }) => facts), unreadable, bytes, freeBytes, rule };
  }

  /** As an operation, for who asks for one. */
  async create(backup: NewBackup, idempotencyKey: string | undefined): Promise<CommandResult> {
    this.#demandOn();
    const name = 'createBackup';
    return this.#parts.bridge.operations.carryOut(
      { name, request: { name, backup }, idempotencyKey },
      async (operation, step) => {
        const waits = () => void step('waiting-for-save');
        if (backup.fresh && !(await this.#watch.next(waits, this.#stopping.signal)))
          throw this.#failed(neverSaved(), backup, this.#parts.clock.now());
        const copy = async () => {
          // So that a retry after a kill is told what became of it.
          await step('copying');
          return this.make(backup, operation.id);
        };
        const what = 'a backup is being made';
        // Others may have been asked for before the save came.
        return applied(await (backup.fresh ? this.inTurn(what, copy) : this.alone(what, copy)));
      },
      { answerMs: backupLimits.answerMs },
    );
  }

  /** For another operation, whose turn it is (see `alone`); throws the Problem that says why there is none. It still needs `stays`. */
  async make(backup: NewBackup, operationId?: string, stays?: string): Promise<BackupFacts> {
    this.#demandOn();
    const begun = this.#parts.clock.now();
    const made = await this.#making.make(backup, operationId, this.#stopping.signal).catch((error) => {
      if (this.#stopping.signal.aborted) throw this.#stopping.signal.reason;
      throw this.#failed(error, backup, begun);
    });
    await this.#made(made, begun, stays);
    return made;
  }

  /** Does what nothing else of this kind may be done beside; throws the Problem that says so where something is. */
  async alone<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#turn !== undefined)
      throw new Problem('backup-under-way', `Nothing was done, because ${this.#turn.what}: try again later`);
    this.#stopping.signal.throwIfAborted();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#turn = { what, over };
    try {
      return await work();
    } finally {
      this.#turn = undefined;
      resolve();
    }
  }

  /** As `alone`, but once what is done now is over: for who has seen players off for it. */
  async inTurn<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    while (this.#turn !== undefined) await this.#turn.over;
    return this.alone(what, work);
  }

  async remove(id: string, idempotencyKey: string | undefined): Promise<CommandResult> {
    this.#demandOn();
    return this.#parts.bridge.operations.carryOut(
      { name: 'deleteBackup', request: { name: 'deleteBackup', id }, idempotencyKey },
      async () => {
        const facts = await this.alone('a backup is being deleted', async () => {
          await this.#look();
          const found = this.#found.backups.find((each) => each.facts.id === id);
          if (found === undefined) throw notFound(id);
          await this.#delete(found.facts, 'hand');
          return found.facts;
        });
        return applied(facts);
      },
    );
  }

  /** The whole path of one that is there; throws the Problem where none is. */
  async fileOf(id: string): Promise<string> {
    this.#demandOn();
    const path = this.#directory.pathOf(id);
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    if (path === undefined || !found?.isFile()) throw notFound(id);
    return path;
  }

  #demandOn(): void {
    if (!this.isOn) throw backupsOff();
  }

  async #look(): Promise<void> {
    // A clock that is looked at for backups alone would have been set before each, on a machine that sleeps in between.
    this.#settled.isSettled();
    this.#found = await this.#directory.list();
  }

  async #made(made: BackupFacts, begun: number, stays?: string): Promise<void> {
    const { clock, bridge, log } = this.#parts;
    const { id, bytes, why, farm } = made;
    this.#last = { isMade: true, ms: clock.now() - begun };
    this.#counts.made += 1;
    bridge.events.append({ type: 'backups.made', data: { ...toldOf(made), bytes } });
    log.info({ backup: id, why, bytes, farm }, 'a backup was made');
    try {
      await this.#directory.tidy(clock.date());
      await this.#look();
      await this.#thinOut(made, stays);
    } catch (error) {
      const remedy = 'Let the service write to BACKUP_DIR, and check what else prevents it';
      log.warn({ err: error, remedy }, 'backups that are no longer needed cannot be deleted from BACKUP_DIR');
    }
  }

  #failed(error: unknown, { why }: NewBackup, begun: number): unknown {
    const { clock, bridge, log } = this.#parts;
    this.#last = { isMade: false, ms: clock.now() - begun };
    this.#counts.failed += 1;
    const reason = error instanceof Error ? error.message : String(error);
    bridge.events.append({ type: 'backups.failed', data: { why, reason } });
    log.warn({ err: error, why }, 'a backup failed');
    return error;
  }

  /** Only of the farm that was copied: of another, another service may see to. */
  async #thinOut(made: BackupFacts, stays: string | undefined): Promise<void> {
    const { rule, clock } = this.#parts;
    const facts = this.#found.backups.map((each) => each.facts);
    const ofFarm = facts.filter(({ farm }) => isSameFarm(farm, made.farm));
    // Whatever the clock says, what somebody was told to be made stays.
    const old = surplus(ofFarm, rule, clock.date(), this.#settled.now()).filter(
      ({ id }) => ![made.id, stays].includes(id),
    );
    for (const each of old) await this.#delete(each, 'rule');
  }

  async #delete(backup: BackupFacts, by: 'hand' | 'rule'): Promise<void> {
    const { bridge, log } = this.#parts;
    try {
      // Gone by another hand is gone.
      if (!(await this.#directory.remove(backup.id))) return;
    } catch (error) {
      throw new Problem(
        'backup-failed',
        `${backup.id} cannot be deleted${codeInBrackets(error)}: it still exists`,
      );
    }
    bridge.events.append({ type: 'backups.deleted', data: { ...toldOf(backup), by } });
    log.info({ backup: backup.id, by }, 'a backup was deleted');
    await this.#look();
  }

  #endingOf({ id }: Operation): Ending | undefined {
    const found = this.#found.backups.find(({ operationId }) => operationId === id);
    if (found !== undefined) return applied(found.facts);
    // It may be one of those that cannot be read.
    if (this.#found.unreadable.length > 0) return undefined;
    const why = 'the service stopped before the backup was complete: nothing of it was kept';
    return { state: 'void', why, notDurable: true };
  }
}

function applied(backup: BackupFacts): Ending {
  return { state: 'applied', outcome: { outcome: 'applied', before: {}, after: { backup } } };
}
