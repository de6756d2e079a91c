import { Account } from '../../session/account.ts';
import type { Login } from '../../session/login.ts';
import { sameAccount } from '../../tokens/session-store.ts';
import { CommandFailure } from '../run/command-failure.ts';
import type { CommandContext } from '../run/run-command.ts';

/** A login is worth nothing when the service, with these very variables, would look for another account's. */
export async function checkServiceFinds({ source }: Login, context: CommandContext): Promise<void> {
  if (source.kind === 'environment-token') return;
  const { username } = source;
  const account = new Account(context.configuration, context.store);
  await account.check();
  const found = (await account.sources()).some(
    (each) => each.kind === 'saved-session' && sameAccount(each.username, username),
  );
  if (found) return;
  if (context.nothingFound() === 'disk')
    throw new CommandFailure(
      'disk',
      `Whether the session of ${username} is in SESSION_DIR cannot be seen. Mend the directory, and log in again`,
    );
  const { PLATFORM_USERNAME: name } = context.configuration;
  throw new CommandFailure(
    'failure',
    name === undefined
      ? `The session of ${username} is saved, but PLATFORM_REFRESH_TOKEN is another account’s and goes first: unset it`
      : `The session of ${username} is saved, but PLATFORM_USERNAME is ${name}, whose session the service looks for: set it to ${username}, or log in as ${name}`,
  );
}
