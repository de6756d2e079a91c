import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import { withDeadline } from './deadline.ts';
import { type Failure, PlatformFailure } from './failure.ts';
import { failureOfEresult } from './failure-table.ts';
import { SteamLogin } from './library/steam-login.ts';
import { hangUp, newClient, routeThrough, takeOverLogon } from './library/steam-user-internals.ts';
import type { SteamUserClient } from './library/steam-user-library.ts';
import { loadSteamUser } from './library/steam-user-loading.ts';
import { SteamUserSession } from './library/steam-user-session.ts';
import { type LibraryProxy, libraryProxy } from './library-proxy.ts';
import { logInWithPassword } from './login-attempt.ts';
import { resultCodes } from './platform-constants.ts';
import type { AccountToken, Platform, PlatformSession } from './platform-session.ts';
import { chooseProxies, type ProxySettings } from './proxy.ts';
import { unreachable } from './unreachable.ts';

/** From the server list to the welcome, the library's own tries at other servers included. */
const logonLimitMs = 30_000;

/** EConnectionProtocol. The other one, a TCP stream of the platform's own, passes no SOCKS proxy and few firewalls. */
const webSocket = 2;

export interface SteamPlatformParts {
  readonly proxy: LibraryProxy;
  /** Sessions of one account at one address that share it replace one another, so each run of a command has its own. */
  readonly logonId: number;
  readonly clock: Clock;
}

/** The platform through steam-user and steam-session. Nothing is loaded before the first login. */
export class SteamPlatform implements Platform {
  /** Where a person logs in. */
  readonly loginMethods: SteamLogin;
  readonly #parts: SteamPlatformParts;

  constructor(parts: SteamPlatformParts) {
    this.#parts = parts;
    this.loginMethods = new SteamLogin(parts.proxy, parts.clock);
  }

  logInWithPassword(username: string, password: Secret): Promise<AccountToken> {
    return logInWithPassword(this.loginMethods, username, password, this.#parts.clock);
  }

  async logOn(token: Secret): Promise<PlatformSession> {
    const { proxy, logonId, clock } = this.#parts;
    const library = await loadSteamUser();
    // A new client for every logon: what one leaves behind after a failure is nobody's concern.
    const client = newClient(library, {
      autoRelogin: false,
      renewRefreshTokens: false,
      dataDirectory: null,
      enablePicsCache: false,
      protocol: webSocket,
    });
    routeThrough(client, proxy.agent);
    let session: SteamUserSession | undefined;
    const loggedOn = new Promise<void>((resolve, reject) => {
      const fail = (failure: Failure): void => {
        if (session === undefined) reject(new PlatformFailure(failure));
        else session.end(failure);
      };
      watch(client, fail);
      client.on('loggedOn', () => {
        session = new SteamUserSession({ library, client, clock });
        resolve();
      });
    });
    client.logOn({ refreshToken: token.reveal(), logonID: logonId, machineName: 'steward' });
    try {
      await withDeadline(loggedOn, logonLimitMs, 'the logon', clock);
    } catch (error) {
      hangUp(client, 'at-once');
      throw error;
    }
    if (session === undefined) throw new Error('logged in without a session');
    return session;
  }
}

/** Every way in which a client can fail, at logon or later. */
function watch(client: SteamUserClient, fail: (failure: Failure) => void): void {
  client.on('error', (error) =>
    fail(error.eresult === undefined ? unreachable(error) : failureOfEresult(error.eresult)),
  );
  client.on('disconnected', (eresult) => fail(failureOfEresult(eresult)));
  client.on('steamGuard', () => fail(failureOfEresult(resultCodes.accountLogonDenied)));
  takeOverLogon(client, {
    refused: (eresult) => fail(failureOfEresult(eresult)),
    lost: () => fail(failureOfEresult(resultCodes.noConnection)),
    unanswered: () =>
      fail({ class: 'transient', reason: 'The platform did not answer the logon', noAnswer: true }),
    broken: () => fail({ class: 'transient', reason: "The platform's welcome could not be understood" }),
  });
}

/** The platform for one run of a command, with a logon id of its own: none takes the session of another. */
export function composePlatform(command: string, settings: ProxySettings): SteamPlatform {
  return new SteamPlatform({
    proxy: libraryProxy(chooseProxies(settings)),
    logonId: logonIdOf(command),
    // What is waited for on the network goes by the true time.
    clock: systemClock,
  });
}

/**
 * Sessions of one account at one address that share this number replace one another. A service that starts again may
 * replace what is left of itself; commands beside it must not, and neither may two of the same command.
 */
export function logonIdOf(command: string, host: string = hostname()): number {
  const run = command === 'serve' ? [] : [randomUUID()];
  const number = createHash('sha256')
    .update([host, command, ...run].join('\0'))
    .digest()
    .readUInt32BE();
  // Zero means "the default", which other programs use.
  return number === 0 ? 1 : number;
}
