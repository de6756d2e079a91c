import { stat } from 'node:fs/promises';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import type { BackupPart, RestoreStep } from '@steward/shared/backups';
import { Problem } from '@steward/shared/problems/problem';
import { type MendableTrouble, troubleText } from '@steward/shared/problems/trouble';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { CommandResult, Ending, Operation } from '../../game/operations/operation.ts';
import { ArchiveError, type Archivist } from '../archive/archivist.ts';
import type { Manifest } from '../archive/manifest.ts';
import { factsOf } from '../backup-directory.ts';
import { type Backups, backupLimits } from '../backups.ts';
import { Placing, type Replaceable, Unfinished, wasEnded } from './placing.ts';
import {
  checkFarm,
  checkRoom,
  planRestore,
  type RestorePlan,
  type RestoreTargets,
  unfit,
} from './restore-plan.ts';
import { RecordFile, type RestoreRecord } from './restore-record.ts';
import { type SeenAgain, seenAgain } from './seen-again.ts';
import { comingIn, giveToOwner, makeStages } from './swap.ts';

/** A game that loads a large farm on a slow machine takes a minute. */
const seenMs = 180_000;

export interface RestoresParts {
  readonly backups: Pick<Backups, 'make' | 'fileOf' | 'alone'>;
  readonly archivist: Pick<Archivist, 'manifestOf' | 'verify' | 'unpack'>;
  readonly bridge: GameBridge;
  /** Where it stands how far a restore has come. */
  readonly record: string;
  /** Undefined where there are no backups. */
  readonly targets: RestoreTargets | undefined;
  readonly settings: Replaceable;
  readonly owners: Replaceable & {
    /** Why this version could not use the maps below this folder; undefined where it can. */
    problemIn(folder: string, farms: readonly string[]): Promise<string | undefined>;
  };
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

const why: MendableTrouble = {
  reason: 'a backup is being restored',
  remedy: 'Nothing to do: the game comes back once that is done. GET /operations shows how far it is',
};

/** Goes back to a backup, as an operation with steps; killed at any of them it ends in the old state or in the new one. */
export class Restores {
  readonly #parts: RestoresParts;
  readonly #placing: Placing;
  readonly #stopping = new AbortController();
  #isRunning = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(parts: RestoresParts) {
    this.#parts = parts;
    const record = new RecordFile(parts.record);
    this.#placing = new Placing({ ...parts, record, signal: this.#stopping.signal });
  }

  async restore(
    id: string,
    what: readonly BackupPart[] | undefined,
    idempotencyKey: string | undefined,
  ): Promise<CommandResult> {
    const { operations } = this.#parts.bridge;
    return operations.carryOut(
      { name: 'restoreBackup', request: { id, what }, idempotencyKey },
      (operation, say) => {
        const carried = this.#parts.backups.alone('a backup is being restored', () =>
          this.#carried(operation, say, id, what),
        );
        this.#work = carried.catch(() => {});
        return carried;
      },
      { answerMs: backupLimits.answerMs },
    );
  }

  /** Finishes what an earlier process was killed in; to be called before anybody reads the farm's files. */
  async recover(): Promise<void> {
    await this.#placing.recover();
  }

  /** To be called before a game can come: says how those ended that were left in the middle, and keeps the game away from half a farm. */
  async start(): Promise<void> {
    const { bridge, backups } = this.#parts;
    this.#isRunning = true;
    this.#decide();
    const { unfinished, last } = this.#placing;
    if (unfinished === undefined) return;
    await bridge.holdGame(unfinished);
    if (last?.phase === 'swapping')
      this.#work = backups.alone('a restore that was cut off is being finished', () =>
        this.#finishLate(last),
      );
  }

  /** What has begun to be put in place is put there; before that everything stays as it was. */
  async stop(): Promise<void> {
    this.#stopping.abort(
      new Problem(
        'shutting-down',
        'The server is stopping: the backup was not restored, and nothing was changed',
      ),
    );
    await this.#work;
  }

  async #carried(
    { id: operationId }: Operation,
    say: (step: string) => Promise<void>,
    id: string,
    what: readonly BackupPart[] | undefined,
  ): Promise<Ending> {
    const { backups, bridge, archivist } = this.#parts;
    const { unfinished } = this.#placing;
    if (unfinished !== undefined)
      throw new Problem('backup-under-way', `${troubleText(unfinished)}: that comes first`);
    const path = await backups.fileOf(id);
    const manifest = await archivist.manifestOf(path).catch((error) => {
      throw this.#said({ id }, error);
    });
    const backup = factsOf(manifest, (await stat(path)).size);
    const told = { ...toldOf(backup), operationId };
    const step = async (name: RestoreStep) => {
      this.#stopping.signal.throwIfAborted();
      await say(name);
      bridge.events.append({ type: 'backups.restoring', data: { ...told, step: name } });
    };
    try {
      const done = await this.#inSteps({ path, manifest, backup, what, operationId }, step);
      bridge.events.append({ type: 'backups.restored', data: told });
      return { state: 'applied', outcome: outcomeOf(backup, done) };
    } catch (error) {
      if (error instanceof Unfinished) return { state: 'unknown', why: error.message };
      const reason = error instanceof Error ? error.message : String(error);
      bridge.events.append({ type: 'backups.restoreFailed', data: { ...told, reason } });
      throw error;
    }
  }

  async #inSteps(asked: Asked, step: (name: RestoreStep) => Promise<void>): Promise<Done> {
    const { archivist, bridge } = this.#parts;
    const { path, manifest, backup, what, operationId } = asked;
    await step('checking');
    const targets = this.#targets;
    const plan = await planRestore(manifest, what, targets);
    if (plan.to['saves'] !== undefined || plan.to['owners'] !== undefined)
      await checkFarm(manifest, targets.saves, bridge.state.sections.farm?.farmId);
    await checkRoom(plan);
    await archivist.verify(path, this.#stopping.signal).catch((error) => {
      throw this.#said(backup, error);
    });
    await step('stopping-game');
    await bridge.holdGame(why);
    let isUnfinished = false;
    try {
      await step('safety-backup');
      const safetyBackupId = await this.#safetyBackup(operationId);
      await step('unpacking');
      const safety = safetyBackupId === undefined ? {} : { safetyBackupId };
      const begun = {
        version: 1,
        operationId,
        phase: 'unpacking',
        backup,
        ...safety,
        places: plan.places,
      } as const;
      await this.#unpacked(path, plan, begun, () => step('swapping'));
      await this.#placing.put({ ...begun, phase: 'swapping' });
      if (!this.#stopping.signal.aborted) await step('starting-game');
      bridge.giveGameBack();
      return { ...safety, seen: await this.#seen(backup) };
    } catch (error) {
      isUnfinished = error instanceof Unfinished;
      throw error;
    } finally {
      if (!isUnfinished) bridge.giveGameBack();
    }
  }

  /** The way back, of what the game saved last; undefined where there is nothing to go back to. */
  async #safetyBackup(operationId: string): Promise<string | undefined> {
    try {
      const { id } = await this.#parts.backups.make({ why: 'before-restore', keep: true }, operationId);
      return id;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'no-save') throw error;
      this.#parts.log.info({}, 'there is no save yet, and so no backup of it is made before the restore');
      return undefined;
    }
  }

  /** All that comes lies beside its place, verified, and it is noted that it is to be put there; else nothing lies there. */
  async #unpacked(
    path: string,
    plan: RestorePlan,
    begun: RestoreRecord,
    isUnpacked: () => Promise<void>,
  ): Promise<void> {
    const { archivist, owners } = this.#parts;
    await this.#placing.note(begun);
    try {
      await makeStages(plan.places);
      await archivist.unpack(path, plan.to, this.#stopping.signal);
      for (const each of plan.places) await giveToOwner(each);
      const staged = plan.to['owners'];
      const place = plan.places.find(({ root }) => comingIn(root) === staged);
      const problem = staged && (await owners.problemIn(staged, place?.coming ?? []));
      if (problem !== undefined && problem !== '')
        throw unfit(begun.backup, `has owners that this version cannot use: ${problem}`);
      await isUnpacked();
      await this.#placing.note({ ...begun, phase: 'swapping' });
    } catch (error) {
      const said = this.#said(begun.backup, error);
      await this.#placing.giveUp(begun, said.message);
      throw said;
    }
  }

  async #seen({ farm }: BackupFacts): Promise<SeenAgain> {
    const { bridge, clock } = this.#parts;
    if (!bridge.startsGame || !this.#isRunning)
      return { isSeen: false, says: 'Start the game: it goes on with the farm that was restored' };
    return seenAgain(farm, { bridge, clock, withinMs: seenMs, signal: this.#stopping.signal });
  }

  async #finishLate(swapping: RestoreRecord): Promise<void> {
    try {
      await this.#placing.put(swapping);
    } catch (error) {
      if (error instanceof Unfinished) return;
      // It was taken back, and that is an end as well.
    }
    this.#decide();
    this.#parts.bridge.giveGameBack();
  }

  #decide(): void {
    this.#parts.bridge.operations.decide(['restoreBackup'], (left) => this.#endingOf(left));
  }

  #endingOf({ id }: Operation): Ending | undefined {
    const { last } = this.#placing;
    if (last?.operationId !== id) return { state: 'void', why: wasEnded, notDurable: true };
    const { phase, backup, why: reason = wasEnded, ...more } = last;
    if (phase === 'swapping') return undefined;
    const told = { ...toldOf(backup), operationId: id };
    const { events } = this.#parts.bridge;
    if (phase === 'restored') {
      events.append({ type: 'backups.restored', data: told });
      const says = 'This service was ended in the middle, and finished the restore when it started again';
      return { state: 'applied', outcome: outcomeOf(backup, { ...more, seen: { isSeen: false, says } }) };
    }
    events.append({ type: 'backups.restoreFailed', data: { ...told, reason } });
    return { state: 'void', why: reason, notDurable: true };
  }

  /** What an archive or a disk has against it, in words for whoever asked. */
  #said({ id }: Pick<Manifest, 'id'>, error: unknown): Error {
    const { signal } = this.#stopping;
    if (signal.aborted && signal.reason instanceof Error) return signal.reason;
    if (error instanceof Problem) return error;
    if (!(error instanceof ArchiveError)) return error instanceof Error ? error : new Error(String(error));
    if (error.kind === 'no-room')
      return new Problem('no-room', `${error.message}: make room, and ask again. Nothing was changed`);
    const isTheDisk = error.kind === 'unwritable' || error.kind === 'unreadable';
    if (!isTheDisk) return unfit({ id }, `cannot be used: ${error.message}`);
    return new Problem(
      'backup-failed',
      `The backup ${id} was not restored: ${error.message}. Nothing was changed`,
    );
  }

  get #targets(): RestoreTargets {
    const { targets } = this.#parts;
    if (targets !== undefined) return targets;
    throw new Problem(
      'backups-off',
      'There are no backups here: set BACKUP_DIR and GAME_SAVES_DIR, and start the service again',
    );
  }
}

interface Asked {
  readonly path: string;
  readonly manifest: Manifest;
  readonly backup: BackupFacts;
  readonly what: readonly BackupPart[] | undefined;
  readonly operationId: string;
}

interface Done {
  readonly safetyBackupId?: string | undefined;
  readonly seen: SeenAgain;
}

function outcomeOf(backup: BackupFacts, { safetyBackupId, seen }: Done) {
  const safety = safetyBackupId === undefined ? {} : { safetyBackupId };
  return { outcome: 'applied' as const, before: {}, after: { backup, ...safety, ...seen } };
}

/** For events: which one, why there is one, and of which day. */
function toldOf({ id, why: reason, farm: { day, season, year } }: BackupFacts) {
  return {
    backupId: id,
    why: reason,
    ...(day === undefined ? {} : { day }),
    ...(season === undefined ? {} : { season }),
    ...(year === undefined ? {} : { year }),
  };
}
