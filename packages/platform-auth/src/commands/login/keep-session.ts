import { failureOf, passes } from '../../platform/failure.ts';
import type { AccountToken, PlatformSession } from '../../platform/platform-session.ts';
import type { Login } from '../../session/login.ts';
import { savedSession } from '../../session/login-source.ts';
import type { CommandContext } from '../run/run-command.ts';
import { onDisk, saveSession } from '../run/session-disk.ts';
import { type Person, severalTriesBefore } from './person.ts';

/**
 * Saves a new session once the platform has let it in. One that it refuses is of no use; one that it could not judge just
 * now was too hard to come by to be lost.
 */
export async function keepSession(
  session: AccountToken,
  context: CommandContext,
  person: Person,
): Promise<Login> {
  const { username, token } = session;
  context.conceal(token);
  let open: PlatformSession;
  try {
    open = await severalTriesBefore(person, () => context.platform.logOn(token), context);
  } catch (error) {
    if (!passes(failureOf(error))) throw error;
    await onDisk(context, () => saveSession(session, context));
    person.warn(
      `The session of ${username} is saved, but could not be tried. Run the command again and choose it: nothing has to be typed anew.`,
    );
    throw error;
  }
  await onDisk(context, () => saveSession(session, context));
  return { session: open, token, source: savedSession(username, token) };
}
