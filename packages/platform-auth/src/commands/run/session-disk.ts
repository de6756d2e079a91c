import { codeInBrackets, errorCode, OperatorError } from '@steward/service-kit/process/errors';
import { type MendableTrouble, troubleText } from '@steward/shared/problems/trouble';
import type { AccountToken } from '../../platform/platform-session.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import type { CommandContext } from './run-command.ts';

type DiskContext = Pick<CommandContext, 'configuration' | 'store' | 'interruption'>;

/** Once it is begun it is finished, whatever interrupts the command. */
export function saveSession(session: AccountToken, { store, interruption }: DiskContext): Promise<void> {
  return interruption.whole(async () => {
    await store.save(session);
    interruption.aftermath = `the session of ${session.username} is saved`;
  });
}

/** Finds out before anybody is asked for a password, and not after. */
export function checkDisk(context: DiskContext): Promise<void> {
  return onDisk(context, () => context.store.checkWritable());
}

/** What the disk refuses is told with the directory's name. */
export async function onDisk<T>(context: DiskContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskFailure(error, context);
  }
}

/** What a save has met, as a command ends with it; anything else comes back as it is. */
export function diskFailure(error: unknown, context: Pick<DiskContext, 'configuration'>): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new CommandFailure('disk', whyNotSaved(error, context));
}

export function whyNotSaved(error: unknown, { configuration }: Pick<DiskContext, 'configuration'>): string {
  if (error instanceof OperatorError) return error.message;
  const because = objections[errorCode(error) ?? ''];
  const says = because === undefined ? `. ${exitCodes.disk.remedy}` : `: ${troubleText(because)}`;
  return `SESSION_DIR (${configuration.SESSION_DIR}) cannot be written${codeInBrackets(error)}${says}`;
}

const notOurs = {
  reason: 'its user may not write there',
  remedy: 'Give the directory to the user that this program runs as',
};
const inTheWay = {
  reason: 'a file has the same path',
  remedy: 'Move it away, or set SESSION_DIR to another directory',
};

/** What the file systems' names of errors mean here. */
const objections: Readonly<Record<string, MendableTrouble>> = {
  ENOSPC: { reason: 'its disk is full', remedy: 'Free some space' },
  EDQUOT: { reason: 'the quota on its disk is used up', remedy: 'Raise it, or free some space' },
  EROFS: { reason: 'it is on a read-only file system', remedy: 'Mount it for writing' },
  EACCES: notOurs,
  EPERM: notOurs,
  ENOTDIR: inTheWay,
  EEXIST: inTheWay,
  EIO: { reason: 'its disk has errors', remedy: 'Check the disk' },
};
