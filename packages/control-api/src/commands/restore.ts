import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from '@steward/service-kit/command-line/program';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { fileSteps } from '@steward/service-kit/files/replace-file';
import { codeInBrackets, isOutOfRoom, OperatorError, UsageError } from '@steward/service-kit/process/errors';
import type { AnswerOf } from '@steward/shared/api/answers';
import { restoredFacts } from '@steward/shared/api/answers/backups';
import { backupEndpoints } from '@steward/shared/api/endpoints/backups';
import { operationEndpoints } from '@steward/shared/api/endpoints/operations';
import { backupFileEnds, type RestoreStep, restoreSteps } from '@steward/shared/backups';
import { ArchiveError } from '../backups/archive/archivist.ts';
import { partOf } from '../backups/archive/leftovers.ts';
import { variables } from '../configuration.ts';
import { optionsOf, tell, whom } from './api-command.ts';
import type { Ask } from './ask-service.ts';
import { endedOperation } from './ended-operation.ts';

const { restoreBackup } = backupEndpoints;
const { listOperations } = operationEndpoints;
const { what } = optionsOf(restoreBackup).options;

/** Between two looks at how far it is. */
const lookMs = 500;

const words: Readonly<Record<RestoreStep, string>> = {
  checking: 'reading the backup and checking that it fits here',
  'stopping-game': 'stopping the game',
  'safety-backup': 'backing up the current farm',
  unpacking: 'unpacking beside the current farm',
  swapping: 'replacing the current farm',
  'starting-game': 'starting the game',
};

/** What nobody does where no service runs. */
const steppedByService: ReadonlySet<RestoreStep> = new Set(['stopping-game', 'starting-game']);

const unseenGame =
  'no service runs here, so this command cannot see whether the game runs. If it does, it saves over what is restored: stop it, and restore again';

export const restoreCommand: Command = {
  summary: restoreBackup.summary,
  details: `It waits until that is done, and prints each step. ${whom} With --all it restores a complete service into an empty STATE_DIR, including the database; no service may be running.`,
  options: {
    id: { means: 'The id of a backup in BACKUP_DIR' },
    file: { means: 'Its path, for example of a downloaded backup; it is copied into BACKUP_DIR' },
    ...(what === undefined ? {} : { what }),
  },
  flags: {
    all: 'Everything, with the database of keys, webhooks and audit, into an empty STATE_DIR; with --file',
    json: 'The API’s answer, as one line of JSON',
  },
  async run(given, values) {
    const [id, file, parts] = [values.get('id'), values.get('file'), values.get('what')];
    if ((id === undefined) === (file === undefined))
      throw new UsageError('backup restore needs either --id or --file');
    if (given.has('all')) {
      if (file === undefined || parts !== undefined || given.has('json'))
        throw new UsageError('backup restore --all needs --file, and does not accept --id, --what or --json');
      const { restoreAll } = await import('./restore-all.ts');
      await restoreAll(file, (step) => say(words[step]));
      return;
    }
    const { withService } = await import('./ask-service.ts');
    const query = { id: id ?? (await takenIn(`${file}`)), ...(parts === undefined ? {} : { what: parts }) };
    const restored = await withService('backup restore', (ask, isServed) => restoredBy(ask, query, isServed));
    tell({ result: given.has('json') ? JSON.stringify(restored) : restored.message });
    if (!given.has('json') && restored.safetyBackupId !== undefined)
      say(`to go back: backup restore --id ${restored.safetyBackupId}`);
  },
};

interface Restored {
  readonly message: string;
  readonly safetyBackupId?: string | undefined;
}

/** Of one that goes on. */
type Begun = { readonly operationId: string };

/** Asks for it, says each step meanwhile, and waits for the end of what takes longer than an answer. */
async function restoredBy(
  ask: Ask,
  query: Readonly<Record<string, string>>,
  isServed: boolean,
): Promise<Restored> {
  if (!isServed && readConfiguration(variables, process.env).GAME_BRIDGE === 'listen') say(unseenGame);
  const ended = new AbortController();
  const steps = sayingSteps(ask, isServed, ended.signal);
  try {
    const answer = (await ask(restoreBackup, query)) as AnswerOf<'restoreBackup'>;
    if ('backup' in answer) return answer;
    const { operationId } = answer as Begun;
    const after = await endedOperation(ask, operationId, 'The backup was not restored');
    const { says, ...more } = restoredFacts.parse(after);
    return { message: `The backup is restored. ${says}`, ...more };
  } finally {
    ended.abort();
    await steps;
  }
}

/** Whatever keeps it from being seen, the restore itself says how it ends. */
async function sayingSteps(ask: Ask, isServed: boolean, signal: AbortSignal): Promise<void> {
  let said = -1;
  while (!signal.aborted) {
    const { operations } = ((await ask(listOperations, {}).catch(() => undefined)) ?? {
      operations: [],
    }) as AnswerOf<'listOperations'>;
    const here = operations.find(({ command, state }) => command === 'restoreBackup' && state === 'claimed');
    const at = (restoreSteps as readonly (string | undefined)[]).indexOf(here?.step);
    for (const step of restoreSteps.slice(said + 1, at + 1))
      if (isServed || !steppedByService.has(step)) say(words[step]);
    said = Math.max(said, at);
    await pause(lookMs, undefined, { signal }).catch(() => {});
  }
}

/** A backup from elsewhere, read whole and then copied to where backups are kept; its id. */
async function takenIn(file: string): Promise<string> {
  const { BACKUP_DIR } = readConfiguration(variables, process.env);
  if (BACKUP_DIR === '') throw new OperatorError('BACKUP_DIR is not set: backups are restored from there');
  const { ThreadArchivist } = await import('../backups/archive/thread-archivist.ts');
  const archivist = new ThreadArchivist();
  const { id } = await archivist.verify(file).catch((error: unknown) => {
    throw error instanceof ArchiveError
      ? new OperatorError(`${file} is not a good backup: ${error.message}`)
      : error;
  });
  const path = join(BACKUP_DIR, `${id}${backupFileEnds}`);
  // The one that is kept there may be why this one was brought: a good one takes the place of a damaged one.
  const isGood = await archivist.verify(path).then(
    () => true,
    () => false,
  );
  if (isGood) return id;
  // Who is killed leaves what the next backup takes away.
  const copy = partOf(path);
  try {
    await makeDirectory(BACKUP_DIR, 0o700);
    // It is not copied with its mode: one that is read-only could not be written to, and some disks take no change of one.
    await pipeline(
      createReadStream(file),
      createWriteStream(copy, { flags: 'wx', mode: 0o600, flush: true }),
    );
    await rename(copy, path);
    await fileSteps.flushDirectory(dirname(path));
  } catch (error) {
    await rm(copy, { force: true });
    const remedy = isOutOfRoom(error) ? 'free some space there' : 'let this command write there';
    throw new OperatorError(`${file} cannot be copied into BACKUP_DIR${codeInBrackets(error)}: ${remedy}`);
  }
  return id;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
