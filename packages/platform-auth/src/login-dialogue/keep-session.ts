import type { CommandContext } from '../commands/run-command.ts';
import { onDisk } from '../commands/session-disk.ts';
import type { SavedSession } from '../saved-sessions/session-file.ts';
import { failureOf, passes } from '../session/failure.ts';
import type { Login } from '../session/login.ts';
import { savedSession } from '../session/login-source.ts';
import type { Person } from '../terminal/person.ts';

/**
 * Saves a new session once the platform has let it in. One that it refuses is of no use; one that it could not judge just
 * now was too hard to come by to be lost.
 */
export async function keepSession(
  session: SavedSession,
  context: CommandContext,
  person: Person,
): Promise<Login> {
  const { platform, conceal } = context;
  const { username, token } = session;
  conceal(token);
  try {
    const open = await person.wait(() => platform.logOn(token));
    await save(session, context);
    return { session: open, token, source: savedSession(username, token) };
  } catch (error) {
    if (!passes(failureOf(error))) throw error;
    await save(session, context);
    person.warn(`The session of ${username} is saved, but could not be tried.`);
    throw error;
  }
}

function save(session: SavedSession, { configuration, store, interruption }: CommandContext): Promise<void> {
  return onDisk(configuration.SESSION_DIR, () =>
    interruption.whole(async () => {
      await store.save(session);
      interruption.aftermath = `the session of ${session.username} is saved`;
    }),
  );
}
