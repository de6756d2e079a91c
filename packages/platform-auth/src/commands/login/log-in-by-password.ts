import type { Secret } from '@steward/service-kit/secret';
import { counted } from '@steward/service-kit/text/amounts';
import { type Failure, failureOf } from '../../platform/failure.ts';
import type { Guard, LoginAttempt } from '../../platform/login-attempt.ts';
import { resultCodes } from '../../platform/platform-constants.ts';
import type { AccountToken } from '../../platform/platform-session.ts';
import { CommandFailure } from '../run/command-failure.ts';
import type { CommandContext } from '../run/run-command.ts';
import { severalTriesBefore, type Terminal } from './terminal.ts';

/** The platform counts them: a dozen or so from one address, and it is closed for half an hour. */
const mostPasswords = 3;

export async function logInByPassword(context: CommandContext, terminal: Terminal): Promise<AccountToken> {
  const { PLATFORM_USERNAME: fixedName, PLATFORM_PASSWORD: fixedPassword } = context.configuration;
  let password = fixedPassword;
  let name = fixedName;
  for (let left = mostPasswords - 1; ; left -= 1) {
    name = fixedName ?? (await askName(terminal, name));
    password ??= await askPassword(context, terminal, name);
    const attempt = await begin(context, terminal, name, password);
    if (!('class' in attempt)) return finish(attempt, name, terminal);
    if (left === 0)
      throw new CommandFailure(
        'login-refused',
        `${mostPasswords} logins were refused: name or password is wrong. Check both, and run the command again`,
      );
    terminal.warn(`${attempt.reason}. ${counted(left, 'try', 'tries')} left.`);
    password = undefined;
  }
}

async function askName(terminal: Terminal, last: string | undefined): Promise<string> {
  const suggestion = last === undefined ? {} : { suggestion: last };
  return (await terminal.askText('Account name, as you log in with it', suggestion))?.trim() || (last ?? '');
}

async function askPassword({ conceal }: CommandContext, terminal: Terminal, name: string): Promise<Secret> {
  const password = await terminal.askSecret(`Password of ${name}`);
  conceal(password);
  return password;
}

/** A failure that another try can mend is answered, any other is thrown. */
async function begin(
  context: CommandContext,
  terminal: Terminal,
  name: string,
  password: Secret,
): Promise<LoginAttempt | Failure> {
  try {
    const { loginMethods } = context.platform;
    return await severalTriesBefore(terminal, () => loginMethods.beginWithPassword(name, password), context);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.eresult === resultCodes.wrongPassword || failure.eresult === resultCodes.unknownName)
      return failure;
    throw error;
  }
}

async function finish(attempt: LoginAttempt, name: string, terminal: Terminal): Promise<AccountToken> {
  try {
    return await passGuard(attempt, name, terminal);
  } finally {
    attempt.cancel();
  }
}

/** Other apps show codes, too; by the name that people know the platform by. */
export const guardApp = 'the game store’s mobile app';

/** Codes change every half minute and are easily mistyped; more than this is guessing. */
const mostCodes = 5;

/** Gives the platform what it wants besides the password: a code, or a yes from elsewhere; whichever comes first. */
async function passGuard(attempt: LoginAttempt, name: string, terminal: Terminal): Promise<AccountToken> {
  const { guards } = attempt;
  const approval = guards.map(({ kind }) => approvals[kind]).find((text) => text !== undefined);
  // What is typed goes as the code of an e-mail wherever that would do.
  const byEmail = guards.filter(({ kind }) => kind === 'email-code');
  const code = [...byEmail, ...guards].map(codeWords).find((words) => words !== undefined);
  if (code === undefined) {
    return terminal.wait(() => {
      if (approval !== undefined) terminal.tell(`${approval(name)}. Waiting for it; Ctrl-C cancels.`);
      // Never while a question is open: the line would go right through it.
      void attempt.opened.then(() => terminal.tell('The request was opened: approve it there.'));
      return attempt.finished;
    });
  }
  if (approval !== undefined) terminal.tell(`${approval(name)}, or type the code.`);
  return enterCode(attempt, code, terminal);
}

const approvals: Readonly<Record<Guard['kind'], ((name: string) => string) | undefined>> = {
  'device-confirmation': (name) => `Open ${guardApp} and approve the login of ${name} there`,
  'email-confirmation': () => 'Open the e-mail that the platform has just sent and follow its link',
  'device-code': undefined,
  'email-code': undefined,
};

/** What somebody is asked who types codes of one kind, and is told of wrong ones. */
interface CodeWords {
  readonly question: string;
  readonly wrong: string;
  readonly allWrong: string;
}

function codeWords(guard: Guard): CodeWords | undefined {
  if (guard.kind === 'device-code')
    return {
      question: `Code from ${guardApp}`,
      wrong: 'Wait for the next one and try again',
      allWrong: 'Check the clock of the phone, and run the command again',
    };
  if (guard.kind !== 'email-code') return undefined;
  const to = guard.detail === undefined ? '' : ` to …@${guard.detail}`;
  // No other one comes for this login.
  return {
    question: `Code from the e-mail${to}`,
    wrong: 'Compare it with the newest e-mail from the platform and type it again',
    allWrong: 'Run the command again and take the code from the newest e-mail',
  };
}

async function enterCode(attempt: LoginAttempt, code: CodeWords, terminal: Terminal): Promise<AccountToken> {
  const over = new AbortController();
  const end = (): void => over.abort();
  void attempt.finished.then(end, end);
  for (let left = mostCodes; left > 0; left -= 1) {
    const typed = await terminal.askText(code.question, { until: over.signal });
    // Approved, or ended, elsewhere: the outcome says which.
    if (typed === undefined) return attempt.finished;
    const isRight = await terminal.wait(() => attempt.submitCode(asCode(typed)));
    if (isRight) return terminal.wait(() => attempt.finished);
    if (left > 1) terminal.warn(`The platform says that this code is wrong. ${code.wrong}.`);
  }
  throw new CommandFailure('login-refused', `${mostCodes} codes were wrong. ${code.allWrong}`);
}

function asCode(typed: string): string {
  return typed.replace(/\s/g, '').toUpperCase();
}
