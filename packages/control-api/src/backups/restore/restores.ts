import { stat } from 'node:fs/promises';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { OperatorError } from '@steward/service-kit/process/errors';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import type { BackupPart, RestoreStep } from '@steward/shared/backups';
import { Problem } from '@steward/shared/problems/problem';
import { shuttingDown } from '@steward/shared/problems/shutting-down';
import { troubleText } from '@steward/shared/problems/trouble';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { CommandResult, Ending, Operation } from '../../game/operations/operation.ts';
import type { Archivist } from '../archive/archivist.ts';
import type { Manifest } from '../archive/manifest.ts';
import { factsOf } from '../backup-directory.ts';
import { backupsOff, toldOf } from '../backup-making.ts';
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
import { type Begun, begunRestores, RecordFile, type RestoreRecord } from './restore-record.ts';
import { type Done, lost, mayHaveChanged, outcomeOf, whyAway, whyNot } from './restore-words.ts';
import { type SeenAgain, seenAgain, surelyAway } from './seen-again.ts';
import { comingIn, finishStages, makeStages } from './swap.ts';

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
  /** As `Placing` takes them: the database is replaced by a command alone, and by whoever finishes that. */
  readonly folders: () => Promise<readonly string[]>;
  readonly settings: Replaceable;
  readonly owners: Replaceable & {
    /** Why this version could not use the maps below this folder; undefined where it can. */
    problemIn(folder: string, farms: readonly string[]): Promise<string | undefined>;
  };
  readonly bans: Replaceable;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** Goes back to a backup, as an operation with steps; killed at any of them it ends in the old state or in the new one. */
export class Restores {
  readonly #parts: RestoresParts;
  readonly #placing: Placing;
  readonly #stopping = new AbortController();
  #isRunning = false;
  #begun: ReadonlyMap<string, Begun> = new Map();
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
    return this.#parts.bridge.operations.carryOut(
      { name: 'restoreBackup', request: { id, what }, idempotencyKey },
      (operation, say) =>
        this.#parts.backups.alone('a backup is being restored', () => {
          const carried = this.#carried(operation, say, id, what);
          this.#work = carried.catch(() => {});
          return carried;
        }),
      { answerMs: backupLimits.answerMs },
    );
  }

  /** Finishes what an earlier process was killed in; to be called before anybody reads the farm's files, or the database. */
  async recover(): Promise<void> {
    await this.#placing.recover();
    const { unfinished, last } = this.#placing;
    // Everything was being restored: what this service would keep in its database is not there yet, or would be in another's place.
    if (unfinished !== undefined && last !== undefined && last.operationId === undefined)
      throw new OperatorError(troubleText(unfinished));
  }

  /** To be called before a game can come: says how those ended that were left in the middle, and keeps the game away from half a farm. */
  async start(): Promise<void> {
    const { bridge, backups, log } = this.#parts;
    this.#isRunning = true;
    this.#begun = await begunRestores(this.#parts);
    this.#decide();
    const { unfinished, toFinish } = this.#placing;
    if (unfinished === undefined) return;
    // A game that nobody here can stop runs from half a farm, and whoever runs it is told so.
    await bridge.holdGame('restore', unfinished).catch((error) => log.error({ err: error }, error.message));
    if (toFinish !== undefined)
      this.#work = backups.alone('an interrupted restore is being finished', () =>
        this.#finishLate(toFinish),
      );
  }

  /** What has begun to be put in place is put there; before that everything stays as it was. */
  async stop(): Promise<void> {
    this.#stopping.abort(
      shuttingDown('The server is stopping: the backup was not restored, and nothing was changed'),
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
    // GET /backups calls it none.
    if (manifest.id !== id) throw unfit({ id }, `is the backup ${manifest.id} under another name`);
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
    const { archivist, bridge, clock } = this.#parts;
    const { path, manifest, backup, what, operationId } = asked;
    await step('checking');
    const plan = await planRestore(manifest, what, this.#targets);
    if (plan.to['saves'] !== undefined || plan.to['owners'] !== undefined)
      await checkFarm(manifest, this.#targets.saves, bridge.state.sections.farm?.farmId);
    await this.#placing.clearLeftovers();
    await checkRoom(plan);
    await archivist.verify(path, this.#stopping.signal).catch((error) => {
      throw this.#said(backup, error);
    });
    await step('stopping-game');
    const { signal } = this.#stopping;
    // Where no service runs, no game can dial in.
    const isAway = this.#isRunning ? surelyAway({ bridge, clock, signal }) : undefined;
    let isUnfinished = false;
    try {
      await bridge.holdGame('restore', whyAway);
      await step('safety-backup');
      const safetyBackupId = await this.#safetyBackup(operationId, backup.id);
      await step('unpacking');
      const safety = safetyBackupId === undefined ? {} : { safetyBackupId };
      const { places } = plan;
      const begun = { version: 1, operationId, phase: 'unpacking', backup, ...safety, places } as const;
      await this.#unpacked(path, plan, begun, async () => {
        // One that was only between two connections plays on, and would save over what is put in place.
        await isAway;
        await bridge.holdGame('restore', whyAway);
        await step('swapping');
      });
      await this.#placing.put({ ...begun, phase: 'swapping' });
      if (!this.#stopping.signal.aborted) await step('starting-game');
      return { ...safety, seen: await this.#seen(backup, this.#giveGameBack()) };
    } catch (error) {
      isUnfinished = error instanceof Unfinished;
      throw error;
    } finally {
      if (!isUnfinished) this.#giveGameBack();
    }
  }

  /** Not where this service stops: a game that is started now would have to be stopped at once. */
  #giveGameBack(): boolean {
    return this.#stopping.signal.aborted || this.#parts.bridge.giveGameBack('restore');
  }

  /** The way back, of what the game saved last; undefined where there is nothing to go back to. */
  async #safetyBackup(operationId: string, restored: string): Promise<string | undefined> {
    try {
      const { id } = await this.#parts.backups.make({ why: 'before-restore' }, operationId, restored);
      return id;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'no-save') throw error;
      this.#parts.log.info({}, 'there is no save yet, so no backup is made before the restore');
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
      await finishStages(plan.places);
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

  async #seen({ farm }: BackupFacts, isComing: boolean): Promise<SeenAgain> {
    const { bridge, clock } = this.#parts;
    if (!isComing)
      return { isSeen: false, says: `The game stays stopped: ${troubleText(bridge.state.link)}` };
    if (!bridge.startsGame || !this.#isRunning)
      return { isSeen: false, says: 'Start the game: it continues with the restored farm' };
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
    this.#giveGameBack();
  }

  #decide(): void {
    this.#parts.bridge.operations.decide(['restoreBackup'], (left) => this.#endingOf(left));
  }

  #endingOf({ id, step }: Operation): Ending | undefined {
    const { last, unfinished } = this.#placing;
    if (last?.operationId !== id && mayHaveChanged(step)) return unfinished === undefined ? lost : undefined;
    if (last?.operationId !== id) return this.#undone(this.#begun.get(id), wasEnded);
    const { phase, backup, why: reason = wasEnded, ...more } = last;
    if (phase === 'swapping') return undefined;
    const told = { ...toldOf(backup), operationId: id };
    if (phase !== 'restored') return this.#undone(told, reason);
    this.#parts.bridge.events.append({ type: 'backups.restored', data: told });
    const says = 'This service was stopped during the restore, and finished it when it started again';
    return { state: 'applied', outcome: outcomeOf(backup, { ...more, seen: { isSeen: false, says } }) };
  }

  #undone(told: Begun | undefined, reason: string): Ending {
    if (told !== undefined)
      this.#parts.bridge.events.append({ type: 'backups.restoreFailed', data: { ...told, reason } });
    return { state: 'void', why: reason, notDurable: true };
  }

  #said(backup: Pick<Manifest, 'id'>, error: unknown): Error {
    const { signal } = this.#stopping;
    return signal.aborted && signal.reason instanceof Error ? signal.reason : whyNot(backup, error);
  }

  get #targets(): RestoreTargets {
    if (this.#parts.targets !== undefined) return this.#parts.targets;
    throw backupsOff();
  }
}

interface Asked {
  readonly path: string;
  readonly manifest: Manifest;
  readonly backup: BackupFacts;
  readonly what: readonly BackupPart[] | undefined;
  readonly operationId: string;
}
