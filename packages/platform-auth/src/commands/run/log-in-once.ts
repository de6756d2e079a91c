import { troubleText } from '@steward/shared/problems/trouble';
import { type Failure, failureOf, passes } from '../../platform/failure.ts';
import { ConfiguredAccount, foreignToken } from '../../session/configured-account.ts';
import { type Login, logIn } from '../../session/login.ts';
import type { LoginSource } from '../../session/login-source.ts';
import { initialModel } from '../../session/session-machine.ts';
import { newCredentialsByHand, sessionWords } from '../../session/session-words.ts';
import { CommandFailure, howToLogIn } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import type { CommandContext } from './run-command.ts';
import { checkDisk, diskFailure, saveSession, whyNotSaved } from './session-disk.ts';
import { severalTries } from './several-tries.ts';

/** What a session that could not be saved means to a command: its end, or a word about it. */
export type Saving = 'must-save' | 'may-save';

/** Logs in as `logInOnce` does, and again where the platform may let it in a moment later. */
export async function logInPatiently(
  context: CommandContext,
  saving: Saving = 'may-save',
  refused = new Map<string, Failure>(),
): Promise<Login> {
  await tellOfForeignToken(context, context.say);
  return severalTries(() => logInOnce(context, refused, saving), context);
}

/** A word about it, before it is used. */
export async function tellOfForeignToken(
  { configuration, store }: CommandContext,
  tell: (text: string) => void,
): Promise<void> {
  const account = new ConfiguredAccount(configuration, store);
  if (await account.hasForeignToken()) tell(troubleText(foreignToken));
}

/**
 * Logs in from what the environment and SESSION_DIR hold, asking nobody. A refused credential gives way to the next, as in the service, and to
 * one that was saved meanwhile: a running service may have renewed the token. `refused` holds those that earlier tries have met.
 */
export async function logInOnce(
  context: CommandContext,
  refused = new Map<string, Failure>(),
  saving: Saving = 'may-save',
): Promise<Login> {
  const { configuration, store } = context;
  const account = new ConfiguredAccount(configuration, store);
  await account.check();
  const sources = await account.sources();
  if (sources.length === 0) throw nothingToLogInWith(context);
  for (const source of sources) {
    if (source.kind === 'environment-token' && source.spent !== undefined)
      refused.set(source.id, source.spent);
    if (refused.has(source.id)) continue;
    try {
      return await logInWith(source, context, saving);
    } catch (error) {
      const failure = failureOf(error);
      if (passes(failure)) throw error;
      refused.set(source.id, failure);
    }
  }
  if ((await account.sources()).some(({ id }) => !refused.has(id)))
    return logInOnce(context, refused, saving);
  throw allRefused(sources, refused);
}

export async function logInWith(
  source: LoginSource,
  context: CommandContext,
  saving: Saving = 'may-save',
): Promise<Login> {
  const { platform, say } = context;
  // The platform counts logins, so the disk is asked first.
  if (source.kind !== 'saved-session' && saving === 'must-save') await checkDisk(context);
  return logIn(source, {
    platform,
    store: { save: (session) => saveSession(session, context) },
    notSaved(error) {
      if (saving === 'must-save') throw diskFailure(error, context);
      say(
        `The session is not saved, and the next start needs the password again. ${whyNotSaved(error, context)}`,
      );
    },
  });
}

function nothingToLogInWith({ configuration, nothingFound }: CommandContext): CommandFailure {
  const { PLATFORM_USERNAME: name, SESSION_DIR } = configuration;
  const ofAccount = name === undefined ? '' : ` of ${name}`;
  const missing = name === undefined ? 'PLATFORM_USERNAME and PLATFORM_PASSWORD are' : 'PLATFORM_PASSWORD is';
  return new CommandFailure(
    nothingFound(),
    `There are no credentials: PLATFORM_REFRESH_TOKEN is not set, ${missing} not set, and SESSION_DIR (${SESSION_DIR}) contains no session${ofAccount}`,
    howToLogIn,
  );
}

function allRefused(sources: readonly LoginSource[], refused: ReadonlyMap<string, Failure>): CommandFailure {
  const model = { ...initialModel(0), state: { name: 'credentials-refused' }, sources, refused } as const;
  const { reason, remedy } = sessionWords(model, newCredentialsByHand);
  const wantsTerminal = [...refused.values()].some((failure) => failure.wantsTerminal);
  return new CommandFailure(
    wantsTerminal ? 'two-factor' : 'login-refused',
    troubleText({ reason, remedy: remedy ?? exitCodes['login-refused'].remedy }),
  );
}
