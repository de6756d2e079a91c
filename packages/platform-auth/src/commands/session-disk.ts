import { codeInBrackets } from '@steward/shared/error-code';
import type { SavedSession } from '../saved-sessions/session-file.ts';
import { CommandFailure } from './command-failure.ts';
import type { CommandContext } from './run-command.ts';

type DiskContext = Pick<CommandContext, 'configuration' | 'store' | 'interruption'>;

/** Once it is begun it is finished, whatever interrupts the command. */
export function saveSession(session: SavedSession, { store, interruption }: DiskContext): Promise<void> {
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
export async function onDisk<T>({ configuration }: DiskContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new CommandFailure(
      'disk',
      `SESSION_DIR (${configuration.SESSION_DIR}) cannot be written${codeInBrackets(error)}. Mend the directory, its owner or the space on the disk`,
    );
  }
}
