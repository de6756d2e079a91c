import type { Clock } from '@steward/service-kit/clock';
import { Secret } from '@steward/service-kit/secret';
import type { LoginSession } from 'steam-session';
import { withDeadline } from '../deadline.ts';
import { type Failure, PlatformFailure } from '../failure.ts';
import { failureOfEresult } from '../failure-table.ts';
import type { LibraryProxy } from '../library-proxy.ts';
import type { Guard, LoginAttempt, LoginMethods, QrAttempt } from '../login-attempt.ts';
import { resultCodes } from '../platform-constants.ts';
import type { AccountToken } from '../platform-session.ts';
import { unreachable } from '../unreachable.ts';
import { keepGoing } from './steam-session-internals.ts';
import { loadSteamSession } from './steam-user-loading.ts';

/** From the first byte until the platform says what it wants; the library's own tries at other servers included. */
const beginLimitMs = 30_000;
const codeLimitMs = 20_000;
/** How long a person may take to find the phone; the platform itself forgets a login after some minutes. */
const approvalLimitMs = 5 * 60_000;

const wrongCodes = [65, 88];

/** Logins through steam-session. Nothing is loaded before the first. */
export class SteamLogin implements LoginMethods {
  readonly #proxy: LibraryProxy;
  readonly #clock: Clock;

  constructor(proxy: LibraryProxy, clock: Clock) {
    this.#proxy = proxy;
    this.#clock = clock;
  }

  async beginWithPassword(username: string, password: Secret): Promise<LoginAttempt> {
    const { session, finished, opened } = this.#session(username);
    const details = { accountName: username, password: password.reveal() };
    const { validActions = [] } = await this.#begin(session, session.startWithCredentials(details));
    return {
      guards: validActions.map(guardOf),
      finished,
      opened,
      submitCode: (code) => this.#submit(session, code),
      cancel: () => session.cancelLoginAttempt(),
    };
  }

  async beginWithQr(rotated: (challenge: string) => void): Promise<QrAttempt> {
    const { session, finished, opened } = this.#session();
    // The library keeps a new code to itself; this is where it passes by. Tokens pass here, too: nothing is logged.
    session.on('debug', (what: unknown, answer: { newChallengeUrl?: string } | undefined) => {
      if (what === 'poll response' && answer?.newChallengeUrl) rotated(answer.newChallengeUrl);
    });
    const { qrChallengeUrl: challenge } = await this.#begin(session, session.startWithQR());
    if (challenge === undefined)
      throw new PlatformFailure(unreachable(undefined, orDidNotAnswer('a QR code')));
    return { challenge, finished, opened, cancel: () => session.cancelLoginAttempt() };
  }

  #session(givenName = '') {
    const { LoginSession, EAuthTokenPlatformType } = loadSteamSession();
    const session = new LoginSession(EAuthTokenPlatformType.SteamClient, {
      ...this.#proxy,
      machineId: true,
      machineFriendlyName: 'steward',
    });
    session.loginTimeout = approvalLimitMs;
    keepGoing(session, {
      // Approved already: by the same code, whose answer was lost, or on the phone.
      isTaken: (error) => eresultOf(error) === resultCodes.duplicateRequest,
      isTransient: (error) => failureFrom(error, 'the login').failure.class === 'transient',
    });
    const opened = new Promise<void>((resolve) => session.on('remoteInteraction', () => resolve()));
    const finished = new Promise<AccountToken>((resolve, reject) => {
      session.on('authenticated', () =>
        resolve({ username: session.accountName || givenName, token: new Secret(session.refreshToken) }),
      );
      session.on('timeout', () => reject(new PlatformFailure(nobodyApproved)));
      session.on('error', (error) => reject(failureFrom(error, 'the login')));
    });
    // Whoever began it may be busy with something else when it ends, or never ask.
    finished.catch(() => {});
    return { session, finished, opened };
  }

  async #begin<T>(session: LoginSession, answer: Promise<T>): Promise<T> {
    try {
      return await withDeadline(answer, beginLimitMs, 'the login', this.#clock);
    } catch (error) {
      session.cancelLoginAttempt();
      throw failureFrom(error, 'the login');
    }
  }

  async #submit(session: LoginSession, code: string, mayRepeat = true): Promise<boolean> {
    try {
      await withDeadline(session.submitSteamGuardCode(code), codeLimitMs, 'the code', this.#clock);
      return true;
    } catch (error) {
      const eresult = eresultOf(error);
      if (eresult !== undefined && wrongCodes.includes(eresult)) return false;
      // The platform hangs up on a login that waits for its code; over the next connection it goes on.
      if (eresult === undefined && mayRepeat) return this.#submit(session, code, false);
      throw failureFrom(error, 'the code');
    }
  }
}

function guardOf({ type, detail }: { readonly type: number; readonly detail?: string }): Guard {
  const { EAuthSessionGuardType } = loadSteamSession();
  switch (type) {
    case EAuthSessionGuardType.EmailCode:
      return { kind: 'email-code', detail };
    case EAuthSessionGuardType.DeviceConfirmation:
      return { kind: 'device-confirmation' };
    case EAuthSessionGuardType.EmailConfirmation:
      return { kind: 'email-confirmation' };
    default:
      return { kind: 'device-code' };
  }
}

const nobodyApproved: Failure = {
  class: 'dead-credential',
  reason: `Nobody approved the login within ${approvalLimitMs / 60_000} minutes`,
  remedy: 'Run the command again',
};

const wrongNameOrPassword = 'Name or password is wrong';

const overBeforeItsEnd: Omit<Failure, 'eresult'> = {
  class: 'dead-credential',
  reason: 'The login was denied on the phone, or has timed out',
  remedy: 'Run the command again, and approve the login if it is yours',
};

/** What these codes say of a login, which is not what they say of a logon with a token. One that was denied is simply gone. */
export const loginRefusals: Readonly<Record<number, Omit<Failure, 'eresult'>>> = {
  [resultCodes.wrongPassword]: { class: 'dead-credential', reason: wrongNameOrPassword },
  [resultCodes.unknownName]: { class: 'dead-credential', reason: wrongNameOrPassword },
  [resultCodes.fileNotFound]: overBeforeItsEnd,
  [resultCodes.expired]: overBeforeItsEnd,
};

/** The library gives up a login at a guard that it has not heard of, even beside others that it knows. */
const unknownGuard = /^Unknown auth session guard type (\w{1,40})$/;

function failureFrom(error: unknown, what: string): PlatformFailure {
  if (error instanceof PlatformFailure) return error;
  const guard = error instanceof Error ? unknownGuard.exec(error.message)?.[1] : undefined;
  if (guard !== undefined)
    return new PlatformFailure({
      class: 'dead-credential',
      reason: `The account has a guard that this program does not know (${guard})`,
      remedy: 'Run `platform-auth login` in a terminal and choose the QR code, which needs no other guard',
    });
  const eresult = eresultOf(error);
  if (eresult === undefined) return new PlatformFailure(unreachable(error, orDidNotAnswer(what)));
  const refusal = loginRefusals[eresult];
  return new PlatformFailure(refusal === undefined ? failureOfEresult(eresult) : { ...refusal, eresult });
}

function orDidNotAnswer(what: string): string {
  return `, or did not answer ${what}`;
}

function eresultOf(error: unknown): number | undefined {
  const eresult = error instanceof Error && 'eresult' in error ? Number(error.eresult) : Number.NaN;
  return Number.isInteger(eresult) ? eresult : undefined;
}
