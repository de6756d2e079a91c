import { ConfiguredAccount, ofOneAccount } from '../../session/configured-account.ts';
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
  const made = await kept(await logInAtTerminal(context, terminal), context);
  await checkServiceFinds(made, context);
  terminal.finish(outcome(made, context, isNew(made)));
  return made;
}

async function fromEnvironment(context: CommandContext, isNew: (login: Login) => boolean): Promise<Login> {
  const made = await kept(await logInPatiently(context, 'must-save'), context);
  await checkServiceFinds(made, context);
  context.say(outcome(made, context, isNew(made)));
  return made;
}

/** From now on a token from the environment is the account’s session, also for a service that is not given it. */
async function kept(made: Login, context: CommandContext): Promise<Login> {
  if (made.source.kind !== 'environment-token') return made;
  const { configuration, store, interruption } = context;
  const account = new ConfiguredAccount(configuration, store);
  const source = await onDisk(context, () => interruption.whole(() => account.takeUp(made.token)));
  if (source === undefined) return made;
  interruption.aftermath = 'the session is saved';
  return { ...made, source };
}

function outcome({ source }: Login, { configuration }: CommandContext, isNew: boolean): string {
  if (source.kind === 'environment-token')
    return `Logged in with ${sourceNames[source.kind]}. It is not saved: SESSION_DIR has a newer session, or one that shows it to be another account’s`;
  const who = `Logged in as ${source.username}`;
  return isNew
    ? `${who}. The session is in ${configuration.SESSION_DIR}; a running service without one uses it within seconds`
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
