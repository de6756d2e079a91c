import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { replaceFile } from '@steward/service-kit/files/replace-file';
import { createLogger } from '@steward/service-kit/log/logger';
import { codeInBrackets, OperatorError } from '@steward/service-kit/process/errors';
import { backupParts, type RestoreStep } from '@steward/shared/backups';
import { Problem } from '@steward/shared/problems/problem';
import { volumesOwn } from '../backups/archive/archive-format.ts';
import { ArchiveError } from '../backups/archive/archivist.ts';
import type { Manifest } from '../backups/archive/manifest.ts';
import { ThreadArchivist } from '../backups/archive/thread-archivist.ts';
import { factsOf } from '../backups/backup-directory.ts';
import { refuseWithin } from '../backups/places-apart.ts';
import { Placing } from '../backups/restore/placing.ts';
import { checkRoom, foldersOf, planRestore, type RestoreTargets } from '../backups/restore/restore-plan.ts';
import { RecordFile, type RestoreRecord, recordName } from '../backups/restore/restore-record.ts';
import {
  comingIn,
  finishStages,
  isThere,
  makeStages,
  type SwapPlace,
  stageName,
} from '../backups/restore/swap.ts';
import { placesOf } from '../compose/backups.ts';
import { type ControlApiConfiguration, variables } from '../configuration.ts';
import { listsName } from '../moderation/lists-register.ts';
import { farmsName } from '../ownership/ownership-file.ts';
import { takeStateLock } from '../store/directory/state-lock.ts';
import { givenOutName, noteGivenOut } from '../store/given-out.ts';
import { whyNewer } from '../store/prepare-database.ts';
import { databaseName } from '../store/store.ts';
import { tell } from './api-command.ts';
import { dayOf } from './backup-day.ts';

/** What a STATE_DIR may have in which nothing was kept yet: what a new file system has, and a try of this command. */
const nothing: ReadonlySet<string> = new Set([
  volumesOwn,
  'steward.lock',
  'steward.holder.json',
  recordName,
  `${recordName}.new`,
  stageName,
]);

/** Makes a new service of a backup; killed at any moment it is finished by the next try, or by the service when it starts. */
export async function restoreAll(file: string, step: (step: RestoreStep) => void): Promise<void> {
  const configuration = readConfiguration(variables, process.env);
  const { STATE_DIR } = configuration;
  await refuseWithin(...placesOf(configuration));
  const log = createLogger('control-api', { ...configuration, LOG_LEVEL: 'warn' }, process.stderr);
  await makeDirectory(STATE_DIR).catch((error) => {
    throw new OperatorError(
      `STATE_DIR: ${STATE_DIR} cannot be created${codeInBrackets(error)}: create it, for the user who runs this`,
    );
  });
  const record = new RecordFile(join(STATE_DIR, recordName));
  const asItLies = { whileReplaced: (replace: () => Promise<void>) => replace() };
  const placing = new Placing({
    record,
    folders: () => foldersOf(targetsOf(configuration)),
    bridge: { holdGame: async () => {} },
    settings: asItLies,
    owners: asItLies,
    bans: asItLies,
    clock: systemClock,
    log,
    signal: new AbortController().signal,
  });
  const left = await record.read();
  const isToBeFinished =
    left !== undefined && 'phase' in left && left.phase === 'swapping' && left.operationId === undefined;
  if (!isToBeFinished) await refuseUsed(STATE_DIR);
  const now = () => systemClock.date();
  await using _lock = await takeStateLock({ directory: STATE_DIR, command: 'backup restore', now, log });
  try {
    await placing.recover();
    if (placing.unfinished !== undefined)
      throw new OperatorError(`${placing.unfinished.reason}. ${placing.unfinished.remedy}`);
    if (isToBeFinished)
      process.stdout.write(`The interrupted restore of ${left.backup.id} was finished. Start the service\n`);
    else await restored(file, { configuration, placing, step });
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof ArchiveError)) throw error;
    throw new OperatorError(error instanceof Problem ? error.message : `${file}: ${error.message}`);
  }
}

interface Parts {
  readonly configuration: ControlApiConfiguration;
  readonly placing: Placing;
  readonly step: (step: RestoreStep) => void;
}

function targetsOf({ STATE_DIR, SETTINGS_PATH, GAME_SAVES_DIR }: ControlApiConfiguration): RestoreTargets {
  return {
    saves: GAME_SAVES_DIR,
    savesRoot: () => realpath(GAME_SAVES_DIR),
    owners: join(STATE_DIR, farmsName),
    settings: SETTINGS_PATH,
    bans: join(STATE_DIR, listsName),
    database: join(STATE_DIR, databaseName),
  };
}

async function restored(file: string, { configuration, placing, step }: Parts): Promise<void> {
  const { STATE_DIR, SETTINGS_PATH, GAME_SAVES_DIR: saves } = configuration;
  const archivist = new ThreadArchivist();
  step('checking');
  const manifest = await archivist.verify(file);
  if (!manifest.parts.includes('database'))
    throw new OperatorError(
      `${file} has no database: restore it without --all, into a service that has been started before`,
    );
  if (saves === '') throw new OperatorError('GAME_SAVES_DIR is not set: it says where the saves belong');
  const has = backupParts.filter((part) => manifest.parts.includes(part));
  const plan = await planRestore(manifest, has, targetsOf(configuration));
  await checkRoom(plan);
  await refuseOverwriting(plan.places, await realpath(saves));
  const state = await realpath(STATE_DIR);
  const places = plan.places.map((place) =>
    place.root === state ? { ...place, coming: [...place.coming, givenOutName] } : place,
  );
  const backup = factsOf(manifest, (await stat(file)).size);
  const begun: RestoreRecord = { version: 1, phase: 'unpacking', backup, places };
  step('unpacking');
  await placing.note(begun);
  try {
    await makeStages(places);
    await archivist.unpack(file, plan.to);
    const newer = whyNewer(join(comingIn(state), databaseName));
    if (newer !== undefined) throw new OperatorError(`The database in ${file} ${newer}. Nothing was changed`);
    await markAsAnother(join(comingIn(state), givenOutName));
    await finishStages(places);
    await keepPrevious(SETTINGS_PATH);
  } catch (error) {
    await placing.giveUp(begun, error instanceof Error ? error.message : String(error));
    throw error;
  }
  step('swapping');
  const swapping = { ...begun, phase: 'swapping' } as const;
  await placing.note(swapping);
  await placing.put(swapping);
  tell({ result: `${says(manifest)}. Start the service` });
}

async function refuseUsed(directory: string): Promise<void> {
  const used = await usedIn(directory);
  if (used.length === 0) return;
  throw new OperatorError(
    `STATE_DIR: ${directory} is not empty (${used.slice(0, 3).join(', ')}): --all restores a complete service. Use an empty STATE_DIR, or leave out --all to restore only the farm`,
  );
}

/** What is kept there; in folders that a try of this command has made, the saves' own among them, there is nothing. */
async function usedIn(directory: string): Promise<string[]> {
  const found = await readdir(directory, { withFileTypes: true });
  const used: string[] = [];
  for (const entry of found.filter(({ name }) => !nothing.has(name)))
    if (!entry.isDirectory() || (await usedIn(join(directory, entry.name))).length > 0) used.push(entry.name);
  return used;
}

/** Of what lies there nobody has a backup. */
async function refuseOverwriting(places: readonly SwapPlace[], saves: string): Promise<void> {
  for (const { root, coming } of places) {
    if (root !== saves) continue;
    for (const name of coming)
      if (await isThere(join(root, name)))
        throw new OperatorError(
          `GAME_SAVES_DIR: ${join(root, name)} already exists: move it away, or leave out --all, so that it is backed up first`,
        );
  }
}

/** The service that had this database may still run, and give out the numbers that follow: here another stretch of them begins. */
async function markAsAnother(path: string): Promise<void> {
  noteGivenOut(path, { epoch: randomBytes(6).toString('hex'), reserved: 0 });
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

/** As every change of the settings does. */
async function keepPrevious(path: string): Promise<void> {
  if (!(await isThere(path))) return;
  await replaceFile(`${path}.previous`, await readFile(path), { like: await stat(path) });
}

function says(manifest: Manifest): string {
  const { id, all } = manifest;
  const without = all ? '' : '. It was made without --all: keys, webhooks and the audit are not in it';
  return `The backup ${id} of ${dayOf(manifest)} is restored${without}`;
}
