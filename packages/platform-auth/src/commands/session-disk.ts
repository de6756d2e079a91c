import type { SessionStore } from '../saved-sessions/session-store.ts';
import { CommandFailure } from './command-failure.ts';

/** Does something with the session files; what the disk refuses is told with the directory's name. */
export async function onDisk<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    const code = 'code' in error ? ` (${error.code})` : '';
    throw new CommandFailure(
      'disk',
      `SESSION_DIR (${directory}) cannot be written${code}. Mend the directory, its owner or the space on the disk`,
    );
  }
}

/** Finds out before anybody is asked for a password, and not after. */
export function checkDisk(store: SessionStore, directory: string): Promise<void> {
  return onDisk(directory, () => store.checkWritable());
}
