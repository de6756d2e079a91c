import { createRequire } from 'node:module';
import { Secret } from '@steward/service-kit/secret';
import type * as SteamSession from 'steam-session';
import type { Clock } from '../clock.ts';
import { PlatformFailure } from '../session/failure.ts';
import { failureOfEresult } from '../session/failure-table.ts';
import { withDeadline } from './deadline.ts';
import type { LibraryProxy } from './library-proxy.ts';

const require = createRequire(import.meta.url);

/** From the first byte to the token; the platform asks to be polled every few seconds. */
const loginLimitMs = 45_000;

/** Logs in with a password where nobody sits who could type a code or press a button. */
export async function tokenForPassword(
  account: { readonly username: string; readonly password: Secret },
  proxy: LibraryProxy,
  clock: Clock,
): Promise<Secret> {
  const { LoginSession, EAuthTokenPlatformType }: typeof SteamSession = require('steam-session');
  const session = new LoginSession(EAuthTokenPlatformType.SteamClient, {
    ...proxy,
    machineId: true,
    machineFriendlyName: 'steward',
  });
  const token = new Promise<Secret>((resolve, reject) => {
    session.on('authenticated', () => resolve(new Secret(session.refreshToken)));
    session.on('timeout', () => reject(new PlatformFailure(transient('The login took too long'))));
    session.on('error', (error) => reject(loginFailure(error)));
  });
  // Rejections are met below; one that comes while the first answer is awaited must not count as unhandled.
  token.catch(() => {});
  try {
    return await withDeadline(begin(session, account, token), loginLimitMs, 'the password login', clock);
  } finally {
    session.cancelLoginAttempt();
  }
}

async function begin(
  session: SteamSession.LoginSession,
  { username, password }: { readonly username: string; readonly password: Secret },
  token: Promise<Secret>,
): Promise<Secret> {
  try {
    const { actionRequired } = await session.startWithCredentials({
      accountName: username,
      password: password.reveal(),
    });
    if (actionRequired) throw guarded;
  } catch (error) {
    throw loginFailure(error);
  }
  return token;
}

const guarded = new PlatformFailure({
  class: 'dead-credential',
  reason: 'The account is guarded by a second factor, which a password alone does not pass',
  remedy: 'Run `platform-auth setup` on a terminal: it asks for the code and saves a session',
});

function loginFailure(error: unknown): PlatformFailure {
  if (error instanceof PlatformFailure) return error;
  const eresult = error instanceof Error && 'eresult' in error ? Number(error.eresult) : Number.NaN;
  if (Number.isInteger(eresult)) return new PlatformFailure(failureOfEresult(eresult));
  return new PlatformFailure(transient('The password login could not be carried out'));
}

function transient(reason: string) {
  return { class: 'transient', reason } as const;
}
