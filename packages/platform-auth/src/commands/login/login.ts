import type { Failure } from '../../platform/failure.ts';
import { ConfiguredAccount, idOf, ofOneAccount } from '../../session/configured-account.ts';
import type { Login } from '../../session/login.ts';
import { sourceNames } from '../../session/login-source.ts';
import { sameAccount } from '../../tokens/session-store.ts';
import { CommandFailure } from '../run/command-failure.ts';
import type { Interruption } from '../run/interruption.ts';
import { logInPatiently } from '../run/log-in-once.ts';
import { type CommandContext, runCommand } from '../run/run-command.ts';
import type { Screen } from '../run/screen.ts';
import { onDisk } from '../run/session-disk.ts';
import { type Keyboard, Patience } from './keyboard.ts';
import { logInAtTerminal } from './log-in-at-terminal.ts';
import type { Terminal } from './terminal.ts';

/** Logs in, on a terminal or from the environment, and saves the session. */
export function login(): Promise<number> {
  return runCommand('login', (context) => logInAndThen(context, async () => {}));
}

/** `then` gets the session while it is open. */
export async function logInAndThen(
  context: CommandContext,
  then: (login: Login, context: CommandContext) => Promise<void>,
): Promise<void> {
  const before = await context.store.list();
  const isNew = ({ token }: Login): boolean => before.every((each) => each.token.reveal() !== token.reveal());
  const made = isAtTerminal() ? await atTerminal(context, isNew) : await fromEnvironment(context, isNew);
  try {
    await then(made, context);
  } finally {
    await made.session.close();
  }
}

async function atTerminal(context: CommandContext, isNew: (login: Login) => boolean): Promise<Login> {
  const terminal = await terminalOf(context.interruption);
  context.beforeFailure(() => terminal.leave());
  const made = await logInAtTerminal(context, terminal);
  // Whatever else is saved, somebody has chosen this.
  const kept = await keep(made, context, { has: () => true });
  await checkServiceFinds(kept, context);
  terminal.finish(outcome(made, kept, context, isNew(made)));
  return kept;
}

async function fromEnvironment(context: CommandContext, isNew: (login: Login) => boolean): Promise<Login> {
  const refused = new Map<string, Failure>();
  const made = await logInPatiently(context, 'must-save', refused);
  const kept = await keep(made, context, refused);
  await checkServiceFinds(kept, context);
  context.say(outcome(made, kept, context, isNew(made)));
  return kept;
}

/**
 * From now on a token from the environment is the account’s session, also for a service that is not given it. `refused`: the ids of
 * what it goes before, though that was issued later.
 */
async function keep(
  made: Login,
  context: CommandContext,
  refused: Pick<ReadonlySet<string>, 'has'>,
): Promise<Login> {
  if (made.source.kind !== 'environment-token') return made;
  const { configuration, store, interruption } = context;
  const account = new ConfiguredAccount(configuration, store);
  const source = await onDisk(context, async () => {
    const isOfAnother = (await store.list()).some(({ token }) => !ofOneAccount(token, made.token));
    // Without the token, and without a name, the service could not tell which of two accounts is meant.
    if (isOfAnother && configuration.PLATFORM_USERNAME === undefined) return undefined;
    return interruption.whole(() => account.takeUp(made.token, refused));
  });
  if (source === undefined) return made;
  interruption.aftermath = 'the session is saved';
  return { ...made, source };
}

function outcome(
  { source: from }: Login,
  { source, token }: Login,
  { configuration }: CommandContext,
  isNew: boolean,
): string {
  const { SESSION_DIR } = configuration;
  const withToken = `Logged in with ${sourceNames['environment-token']}`;
  if (source.kind === 'environment-token')
    return `${withToken}. It is not saved: SESSION_DIR has a newer session, or one of another account`;
  // Whether the name is this account’s, people alone can tell.
  if (from.kind === 'environment-token')
    return `${withToken}, which belongs to the account ${idOf(token)}. It is in ${SESSION_DIR} as the session of ${source.username}`;
  const who = `Logged in as ${source.username}`;
  return isNew
    ? `${who}. The session is in ${SESSION_DIR}; a running service without one uses it within seconds`
    : `${who} with the saved session; a running service continues as before`;
}

/** Questions go to stderr: stdout may be led elsewhere. */
function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Whoever sits at this process's terminal. Loads the prompts only now. */
async function terminalOf(interruption: Interruption): Promise<Terminal> {
  const keyboard: Keyboard = process.stdin;
  const screen: Screen = process.stderr;
  const parts = { keyboard, screen, patience: new Patience(interruption) };
  if (process.env['TERM'] === 'dumb') return new (await import('./plain-terminal.ts')).PlainTerminal(parts);
  return new (await import('./clack-terminal.ts')).ClackTerminal(parts);
}

/** A login is worth nothing when the service, with these very variables, would look for another account's. */
async function checkServiceFinds({ source, token }: Login, context: CommandContext): Promise<void> {
  if (source.kind === 'environment-token') return;
  const { username } = source;
  const account = new ConfiguredAccount(context.configuration, context.store);
  await account.check();
  const found = (await account.sources()).some(
    (each) =>
      each.kind === 'saved-session' &&
      (sameAccount(each.username, username) || ofOneAccount(each.token, token)),
  );
  if (found) return;
  if (context.nothingFound() === 'disk')
    throw new CommandFailure(
      'disk',
      `SESSION_DIR cannot be read, so it is unknown whether it has the session of ${username}. Fix the directory, and log in again`,
    );
  const { PLATFORM_USERNAME: name } = context.configuration;
  throw new CommandFailure(
    'failure',
    name === undefined
      ? `The session of ${username} is saved, but PLATFORM_REFRESH_TOKEN is from another account and is used first: unset it`
      : `The session of ${username} is saved, but PLATFORM_USERNAME is ${name}, whose session the service looks for: set it to ${username}, or log in as ${name}`,
  );
}
