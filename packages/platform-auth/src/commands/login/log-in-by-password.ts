import type { Secret } from '@steward/service-kit/secret';
import { counted } from '@steward/service-kit/text/amounts';
import { type Failure, failureOf } from '../../platform/failure.ts';
import type { LoginAttempt } from '../../platform/login-attempt.ts';
import { resultCodes } from '../../platform/platform-constants.ts';
import type { AccountToken } from '../../platform/platform-session.ts';
import { CommandFailure } from '../run/command-failure.ts';
import type { CommandContext } from '../run/run-command.ts';
import { passGuard } from './pass-guard.ts';
import { type Person, severalTriesBefore } from './person.ts';

/** The platform counts them: a dozen or so from one address, and it is closed for half an hour. */
const mostPasswords = 3;

export async function logInByPassword(context: CommandContext, person: Person): Promise<AccountToken> {
  const { PLATFORM_USERNAME: fixedName } = context.configuration;
  let password = fixedName === undefined ? undefined : context.configuration.PLATFORM_PASSWORD;
  let name = fixedName;
  for (let left = mostPasswords - 1; ; left -= 1) {
    name = fixedName ?? (await askName(person, name));
    password ??= await askPassword(context, person, name);
    const attempt = await begin(context, person, name, password);
    if (!('class' in attempt)) return finish(attempt, name, person);
    if (left === 0)
      throw new CommandFailure(
        'login-refused',
        `${mostPasswords} logins were refused: name or password is wrong. Check both, and run the command again`,
      );
    person.warn(`${attempt.reason}. ${counted(left, 'try', 'tries')} left.`);
    password = undefined;
  }
}

async function askName(person: Person, last: string | undefined): Promise<string> {
  const suggestion = last === undefined ? {} : { suggestion: last };
  return (await person.askText('Account name, as you log in with it', suggestion))?.trim() || (last ?? '');
}

async function askPassword({ conceal }: CommandContext, person: Person, name: string): Promise<Secret> {
  const password = await person.askSecret(`Password of ${name}`);
  conceal(password);
  return password;
}

/** A failure that another try can mend is answered, any other is thrown. */
async function begin(
  context: CommandContext,
  person: Person,
  name: string,
  password: Secret,
): Promise<LoginAttempt | Failure> {
  try {
    const { desk } = context.platform;
    return await severalTriesBefore(person, () => desk.beginWithPassword(name, password), context);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.eresult === resultCodes.wrongPassword || failure.eresult === resultCodes.unknownName)
      return failure;
    throw error;
  }
}

async function finish(attempt: LoginAttempt, name: string, person: Person): Promise<AccountToken> {
  try {
    return await passGuard(attempt, name, person);
  } finally {
    attempt.cancel();
  }
}
