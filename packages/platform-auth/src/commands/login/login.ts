import type { Login } from '../../session/login.ts';
import { sourceNames } from '../../session/login-source.ts';
import { logInPatiently } from '../run/log-in-once.ts';
import { type CommandContext, runCommand } from '../run/run-command.ts';
import { logInByHand } from './log-in-by-hand.ts';
import { isAtTerminal, personAt } from './person-at.ts';
import { checkServiceFinds } from './service-finds.ts';

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
  const made = isAtTerminal() ? await byHand(context, isNew) : await fromEnvironment(context, isNew);
  try {
    await then(made, context);
  } finally {
    await made.session.close();
  }
}

async function byHand(context: CommandContext, isNew: (login: Login) => boolean): Promise<Login> {
  const person = await personAt(context.interruption);
  context.beforeFailure(() => person.leave());
  const made = await logInByHand(context, person);
  await checkServiceFinds(made, context);
  person.goodbye(outcome(made, context, isNew(made)));
  return made;
}

async function fromEnvironment(context: CommandContext, isNew: (login: Login) => boolean): Promise<Login> {
  const made = await logInPatiently(context, 'must-save');
  await checkServiceFinds(made, context);
  context.say(outcome(made, context, isNew(made)));
  return made;
}

function outcome({ source }: Login, { configuration }: CommandContext, isNew: boolean): string {
  if (source.kind === 'environment-token')
    return `Logged in with ${sourceNames[source.kind]}, which is never saved`;
  const who = `Logged in as ${source.username}`;
  return isNew
    ? `${who}. The session is in ${configuration.SESSION_DIR}; a running service that has none takes it up within seconds`
    : `${who} with the session that was saved already; a running service finds nothing new, and goes on as it was`;
}
