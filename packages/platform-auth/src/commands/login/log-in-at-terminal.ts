import type { Clock } from '@steward/service-kit/clock';
import { failureOf, passes } from '../../platform/failure.ts';
import type { AccountToken, PlatformSession } from '../../platform/platform-session.ts';
import { ConfiguredAccount } from '../../session/configured-account.ts';
import type { Login } from '../../session/login.ts';
import { environmentToken, type LoginSource, savedSession } from '../../session/login-source.ts';
import { daysUntil, readRefreshToken } from '../../session/refresh-token.ts';
import { logInWith, tellOfForeignToken } from '../run/log-in-once.ts';
import type { CommandContext } from '../run/run-command.ts';
import { checkDisk, onDisk, saveSession } from '../run/session-disk.ts';
import { guardApp, logInByPassword } from './log-in-by-password.ts';
import { severalTriesBefore, type Terminal } from './terminal.ts';

const again = 'again';

/** Logs in with somebody at a terminal: with what there is already, or anew. */
export async function logInAtTerminal(context: CommandContext, terminal: Terminal): Promise<Login> {
  context.interruption.aftermath = 'nothing was saved';
  const account = new ConfiguredAccount(context.configuration, context.store);
  await checkDisk(context);
  terminal.greet('The platform account');
  await tellOfForeignToken(context, (text) => terminal.warn(text));
  return (await useWhatThereIs(account, context, terminal)) ?? logInAnew(context, terminal);
}

/** Undefined when there is nothing, it is not wanted, or the platform refuses it. */
async function useWhatThereIs(
  account: ConfiguredAccount,
  context: CommandContext,
  terminal: Terminal,
): Promise<Login | undefined> {
  const sources = await offers(account, context);
  const choices = sources.map((source) => ({ value: source.id, label: sourceLabel(source, context.clock) }));
  if (choices.length === 0) return undefined;
  const chosen = await terminal.choose('There is a login already', [
    ...choices.map(({ value, label }) => ({ value, label: `Use ${label}` })),
    { value: again, label: 'Log in again' },
  ]);
  const source = sources.find(({ id }) => id === chosen);
  if (source === undefined) return undefined;
  try {
    return await severalTriesBefore(terminal, () => logInWith(source, context), context);
  } catch (error) {
    const failure = failureOf(error);
    if (passes(failure)) throw error;
    terminal.warn(`${failure.reason}. Log in again to fix this.`);
    return undefined;
  }
}

/** All saved sessions, unless the service would look for one account's alone. */
async function offers(
  account: ConfiguredAccount,
  { configuration, store }: CommandContext,
): Promise<readonly LoginSource[]> {
  const { PLATFORM_REFRESH_TOKEN: token, PLATFORM_USERNAME: name } = configuration;
  const isNew = token !== undefined && (await store.fateOf(token)) === undefined;
  const saved =
    name === undefined
      ? (await store.list()).map((session) => savedSession(session.username, session.token))
      : (await account.sources()).filter(({ kind }) => kind === 'saved-session');
  return isNew ? [environmentToken(token), ...saved] : saved;
}

async function logInAnew(context: CommandContext, terminal: Terminal): Promise<Login> {
  const method = context.configuration.PLATFORM_PASSWORD
    ? 'password'
    : await terminal.choose('How do you want to log in?', [
        { value: 'password', label: 'With name and password' },
        { value: 'qr', label: 'By QR code, on a phone' },
      ]);
  const session =
    method === 'qr' ? await logInByQr(context, terminal) : await logInByPassword(context, terminal);
  return keepSession(session, context, terminal);
}

/**
 * Saves a new session once the platform has let it in. One that it refuses is of no use; one that it could not judge just
 * now was too hard to come by to be lost.
 */
async function keepSession(
  session: AccountToken,
  context: CommandContext,
  terminal: Terminal,
): Promise<Login> {
  const { username, token } = session;
  context.conceal(token);
  let open: PlatformSession;
  try {
    open = await severalTriesBefore(terminal, () => context.platform.logOn(token), context);
  } catch (error) {
    if (!passes(failureOf(error))) throw error;
    await onDisk(context, () => saveSession(session, context));
    terminal.warn(
      `The session of ${username} is saved, but could not be tested. Run the command again and choose it; you do not have to type anything again.`,
    );
    throw error;
  }
  await onDisk(context, () => saveSession(session, context));
  return { session: open, token, source: savedSession(username, token) };
}

/** A login that could be used again, and for how long. */
function sourceLabel(source: LoginSource, clock: Pick<Clock, 'date'>): string {
  if (source.kind === 'password') return 'PLATFORM_PASSWORD';
  const name =
    source.kind === 'environment-token' ? 'PLATFORM_REFRESH_TOKEN' : `the session of ${source.username}`;
  const read = readRefreshToken(source.token);
  if (!read.ok) return `${name} (unusable)`;
  const days = daysUntil(read.value.expiresAt, clock.date());
  return days < 0 ? `${name} (expired)` : `${name} (good for ${days} days)`;
}

const scanIt = 'Waiting for the phone. The code changes now and then; Ctrl-C cancels.';
const confirmIt = 'Scanned. Confirm the login on the phone.';

async function logInByQr(context: CommandContext, terminal: Terminal): Promise<AccountToken> {
  const shown = terminal.showCode();
  let address = '';
  const show = (challenge: string, note: string): void => {
    address = challenge;
    shown.show({ address, note });
  };
  const { loginMethods } = context.platform;
  const begin = () => loginMethods.beginWithQr((challenge) => show(challenge, scanIt));
  const attempt = await severalTriesBefore(terminal, begin, context);
  try {
    return await terminal.wait(() => {
      terminal.tell(`Scan this with ${guardApp}, or open the address on that phone.`);
      show(attempt.challenge, scanIt);
      void attempt.opened.then(() => show(address, confirmIt));
      return attempt.finished;
    });
  } finally {
    shown.done();
    attempt.cancel();
  }
}
