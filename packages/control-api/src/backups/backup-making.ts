import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, pause } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { codeInBrackets } from '@steward/service-kit/process/errors';
import { counted, inBytes } from '@steward/service-kit/text/amounts';
import type { BackupFacts } from '@steward/shared/api/answers/backups';
import type { BackupReason } from '@steward/shared/backups';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { DatabaseCopy } from '../store/copy-database.ts';
import { databaseName } from '../store/store.ts';
import { ArchiveError, type Archivist, type Source } from './archive/archivist.ts';
import { type BackupDirectory, type Draft, emptyFile, factsOf } from './backup-directory.ts';
import { bytesOf, type FarmFiles, type Missing } from './farm-files.ts';
import type { SaveWatch } from './save-watch.ts';

export const makingLimits = {
  /** How often it is begun where what is copied changes meanwhile: a game saves once in some minutes, not once in some seconds. */
  tries: 5,
  /** Before it is begun again where a file was being written; each pause is twice as long as the one before. */
  firstPauseMs: 1_000,
  /** How long a night is waited for; some last until the last player has closed a menu, and nothing is written meanwhile. */
  nightMs: 60_000,
  /** What is left free of the disk, for everybody else. */
  spareBytes: 16 * 1024 * 1024,
} as const;

/** Of what is left out, in the log. */
const shownLeftOut = 10;

/** Copies STATE_DIR's database into a file that is there, without anybody waiting for it. */
type CopyDatabase = (copy: Omit<DatabaseCopy, 'from' | 'adminsRows'>, signal: AbortSignal) => Promise<void>;

export interface NewBackup {
  readonly why: BackupReason;
  readonly fresh?: boolean;
  readonly note?: string;
  readonly keep?: boolean;
  readonly all?: boolean;
}

export interface BackupMakingParts {
  readonly directory: BackupDirectory;
  readonly files: FarmFiles;
  readonly watch: SaveWatch;
  readonly archivist: Pick<Archivist, 'pack'>;
  readonly copyDatabase: CopyDatabase;
  readonly stateDirectory: string;
  readonly version: string;
  readonly clock: Pick<Clock, 'date' | 'after'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Makes one backup of the last save. */
export class BackupMaking {
  readonly #parts: BackupMakingParts;

  constructor(parts: BackupMakingParts) {
    this.#parts = parts;
  }

  /** Throws the Problem that says why there is none; then nothing is left of it. */
  async make(backup: NewBackup, operationId: string | undefined, signal: AbortSignal): Promise<BackupFacts> {
    const { directory, files, clock } = this.#parts;
    const sources = await files.sources({ alsoOfNoSave: backup.why === 'before-restore' });
    const now = clock.date();
    const draft = await directory.draft(now).catch(unwritable);
    try {
      const needed = (await bytesOf(sources)) + makingLimits.spareBytes;
      const free = await directory.freeBytes().catch(unwritable);
      if (free < needed)
        throw new Problem(
          'no-room',
          `BACKUP_DIR has ${inBytes(free)} free, and a backup may need ${inBytes(needed)}: free some space there, or delete backups`,
        );
      const copy = { to: draft.database, all: backup.all === true, operationId };
      const database = await this.#copyDatabase(copy, free - needed, signal);
      const by = operationId === undefined ? {} : { operationId };
      const about = { ...aboutOf(backup), ...by, id: draft.id, madeAt: timestampOf(now) };
      const missing = [...(await this.#missingFiles()), ...database.missing];
      const whole = { ...about, madeBy: this.#parts.version, ...(missing.length > 0 && { missing }) };
      return await this.#pack(whole, [...sources, ...database.sources], draft, signal);
    } finally {
      await rm(draft.database, { force: true });
    }
  }

  async #pack(
    about: About,
    sources: readonly Source[],
    { path }: Draft,
    stopped: AbortSignal,
  ): Promise<BackupFacts> {
    const { watch, files, archivist, clock, log } = this.#parts;
    const parts = partsOf(sources);
    let reason = '';
    for (let tries = 1; tries <= makingLimits.tries; tries += 1) {
      await watch.calm(makingLimits.nightMs, stopped);
      using begun = watch.begun();
      const signal = AbortSignal.any([stopped, begun.signal]);
      try {
        const farm = await files.farm(watch.farm);
        const { manifest, bytes } = await archivist.pack(
          { to: path, sources, about: { ...about, farm, parts } },
          signal,
        );
        const { leftOut } = manifest;
        if (leftOut.length > 0)
          log.warn(
            { leftOut: leftOut.slice(0, shownLeftOut), count: leftOut.length },
            'links and special files are not in this backup',
          );
        return factsOf(manifest, bytes);
      } catch (error) {
        stopped.throwIfAborted();
        const isVoid = begun.signal.aborted || (error instanceof ArchiveError && error.kind === 'changed');
        if (!isVoid) throw problemOf(error);
        reason = begun.signal.aborted ? 'the game saved' : (error as Error).message;
        log.info({ tries, reason }, 'the files changed during the backup: they are copied again');
        // A game that tells when it saves also tells when it has.
        if (!begun.signal.aborted && tries < makingLimits.tries)
          await pause(makingLimits.firstPauseMs * 2 ** (tries - 1), clock, stopped);
      }
    }
    throw new Problem(
      'backup-failed',
      `The files changed during each of ${counted(makingLimits.tries, 'attempt')} to copy them (${reason}): try again later, and check whether something else keeps writing to GAME_SAVES_DIR`,
    );
  }

  async #missingFiles(): Promise<Missing> {
    const missing = await this.#parts.files.missing();
    for (const { part, reason } of missing)
      this.#parts.log.warn({ reason }, `the ${part} are missing in this backup`);
    return missing;
  }

  /** The farm is backed up also where its database cannot be: then it says why. */
  async #copyDatabase(
    copy: Omit<DatabaseCopy, 'from' | 'adminsRows'>,
    room: number,
    signal: AbortSignal,
  ): Promise<{ readonly sources: readonly Source[]; readonly missing: Missing }> {
    const { stateDirectory, log, copyDatabase } = this.#parts;
    try {
      const { size } = await stat(join(stateDirectory, databaseName));
      // Once as it is, and once more in the archive.
      if (size * 2 > room)
        throw new Error(`it has ${inBytes(size)}, and BACKUP_DIR has too little space for it`);
      await emptyFile(copy.to);
      await copyDatabase(copy, signal);
      return { sources: [{ into: `database/${databaseName}`, path: copy.to }], missing: [] };
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ err: error, reason }, 'the database is missing in this backup: it cannot be copied');
      return { sources: [], missing: [{ part: 'database', reason }] };
    }
  }
}

type About = Omit<Parameters<Archivist['pack']>[0]['about'], 'farm' | 'parts'>;

function aboutOf({ why, note, keep = false, all = false }: NewBackup) {
  return { why, keep, all, ...(note === undefined ? {} : { note }) };
}

/** The top folders of the archive. */
function partsOf(sources: readonly Source[]): BackupFacts['parts'] {
  const tops = new Set(sources.map(({ into }) => into.split('/')[0]));
  return (['saves', 'owners', 'settings', 'bans', 'database'] as const).filter((part) => tops.has(part));
}

function unwritable(error: unknown): never {
  throw new Problem(
    'backup-failed',
    `BACKUP_DIR cannot be used${codeInBrackets(error)}: let the service write there`,
  );
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof ArchiveError)) return error;
  return new Problem(error.kind === 'no-room' ? 'no-room' : 'backup-failed', `${error.message}`);
}

/** For events: which one, why there is one, and of which day. */
export function toldOf({ id, why: reason, farm: { day, season, year } }: BackupFacts) {
  return {
    backupId: id,
    why: reason,
    ...(day === undefined ? {} : { day }),
    ...(season === undefined ? {} : { season }),
    ...(year === undefined ? {} : { year }),
  };
}

export function backupsOff(): Problem {
  return new Problem(
    'backups-off',
    'Backups are off: set BACKUP_DIR and GAME_SAVES_DIR, and restart the service',
  );
}
