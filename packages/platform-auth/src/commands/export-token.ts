import { timestampOf } from '@steward/shared/wire-values';
import { ConfiguredAccount } from '../session/configured-account.ts';
import { readRefreshToken } from '../session/refresh-token.ts';
import { CommandFailure, howToLogIn } from './run/command-failure.ts';
import { type CommandContext, runCommand } from './run/run-command.ts';

/**
 * Writes the saved refresh token to stdout: the one way in which a credential leaves SESSION_DIR. Not a word to stderr when
 * it succeeds: a container with a terminal mixes both, and the word would become part of somebody's token.
 */
export function exportToken(flags: ReadonlySet<string>): Promise<number> {
  const work = async (context: CommandContext): Promise<void> => {
    const { username, token } = await savedToken(context);
    const read = readRefreshToken(token);
    if (!read.ok) throw unusable(username, read.reason);
    const { expiresAt } = read.value;
    if (expiresAt <= context.clock.date()) throw unusable(username, `has expired on ${dayOf(expiresAt)}`);
    const text = flags.has('json')
      ? JSON.stringify({ username, refresh_token: token.reveal(), expires_at: timestampOf(expiresAt) })
      : token.reveal();
    process.stdout.write(`${text}\n`);
  };
  return runCommand('export-token', work, 'where-it-fails');
}

async function savedToken({ configuration, store, nothingFound }: CommandContext) {
  const account = new ConfiguredAccount(configuration, store);
  await account.check();
  for (const source of await account.sources()) if (source.kind === 'saved-session') return source;
  const { PLATFORM_USERNAME: name, SESSION_DIR } = configuration;
  const ofAccount = name === undefined ? '' : ` of ${name}`;
  throw new CommandFailure(
    nothingFound(),
    `SESSION_DIR (${SESSION_DIR}) contains no session${ofAccount} to export`,
    howToLogIn,
  );
}

function unusable(username: string, problem: string): CommandFailure {
  return new CommandFailure(
    'login-refused',
    `The saved session of ${username} ${problem}. Log in again with \`platform-auth login\``,
  );
}

function dayOf(date: Date): string {
  return timestampOf(date).slice(0, 'YYYY-MM-DD'.length);
}
