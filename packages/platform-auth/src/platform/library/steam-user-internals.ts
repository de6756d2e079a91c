import type { Agent } from 'node:https';
import timers from 'node:timers';
import { Secret } from '@steward/service-kit/secret';
import { resultCodes } from '../platform-constants.ts';
import type {
  LogonAnswer,
  SteamUserClient,
  SteamUserLibrary,
  SteamUserOptions,
} from './steam-user-library.ts';

/**
 * Everything that reaches into steam-user's protected members stands in this file. It was written against this version;
 * a test compares it with the one that is installed.
 */
export const provenVersion = '5.3.0';

const timersOf = new WeakMap<SteamUserClient, CacheTimers>();

/** A client whose timers are known, for `hangUp` to stop. */
export function newClient(
  { Client }: Pick<SteamUserLibrary, 'Client'>,
  options: SteamUserOptions,
): SteamUserClient {
  const cacheTimers = new CacheTimers();
  const client = cacheTimers.startedBy(() => new Client(options));
  const initialize = client._initProperties.bind(client);
  client._initProperties = (isConnecting) => cacheTimers.startedBy(() => initialize(isConnecting));
  timersOf.set(client, cacheTimers);
  return client;
}

/** Takes over what the library would do by itself after a refused logon: retry silently, prompt on stdin, or go quiet. */
export function takeOverLogon(
  client: SteamUserClient,
  answers: {
    readonly refused: (eresult: number) => void;
    readonly unanswered: () => void;
    readonly lost: () => void;
    readonly broken: (error: unknown) => void;
  },
): void {
  const accept = client._handleLogOnResponse.bind(client);
  client._handleLogOnResponse = async (answer: LogonAnswer) => {
    if (answer.eresult === resultCodes.ok) await accept(answer).catch(answers.broken);
    else answers.refused(answer.eresult);
  };
  client._enqueueLogonAttempt = answers.unanswered;
  // The library means to connect again, and is kept from it by a flag of its own: nothing more would come.
  const close = client._handleConnectionClose.bind(client);
  client._handleConnectionClose = (connection) => {
    const isBeforeLogon = client.steamID === null && !client._useMessageQueue && !client._loggingOff;
    if (isBeforeLogon) answers.lost();
    else close(connection);
  };
  // A browser session is of no use here, and the library asks for it for ever where it is refused.
  client.webLogOn = () => {};
}

/** Lets `agent` open every connection that the client makes. */
export function routeThrough(client: SteamUserClient, agent: Agent): void {
  client._getProxyAgent = () => agent;
}

/** Sends a message that the library knows by number only, and hands over the bytes of its answer. */
export function exchangeMessage(
  client: SteamUserClient,
  message: number,
  appId: number,
  body: Uint8Array,
): Promise<Buffer> {
  return new Promise((resolve) => {
    const header = { msg: message, proto: { routing_appid: appId } };
    client._send(header, Buffer.from(body), (answer) => resolve(answer.toBuffer()));
  });
}

/** Asked by hand, since a refusal inside the library's own renewal is a rejection that nobody can catch. */
export async function renewRefreshToken(client: SteamUserClient, token: Secret): Promise<Secret | undefined> {
  const session = client._getLoginSession();
  session.refreshToken = token.reveal();
  return (await session.renewRefreshToken()) ? new Secret(session.refreshToken) : undefined;
}

/**
 * Asked by hand, since the library's own method drops which servers demand a token, fails where one serves some apps only,
 * and keeps an answer for an hour.
 */
export async function contentServerList(
  client: SteamUserClient,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const parameters = { cell_id: client.cellID ?? 0 };
  const answer = await client._apiRequest(
    'GET',
    'IContentServerDirectoryService',
    'GetServersForSteamPipe',
    1,
    parameters,
  );
  return Object.values(answer.response?.servers ?? {});
}

/** Ends whatever the client is doing, leaving no timer that would bring it back. */
export function hangUp(client: SteamUserClient, manner: 'polite' | 'at-once'): void {
  clearTimeout(client._logonMsgTimeout);
  client._enqueueLogonAttempt = () => {};
  client.removeAllListeners();
  // An error without a listener would end the process, a guard prompt without one would read from stdin.
  client.on('error', () => {});
  client.on('steamGuard', () => {});
  if (manner === 'polite' && client.steamID !== null) client.logOff();
  else client._disconnect(true);
  timersOf.get(client)?.end();
}

/**
 * The timers of a client's caches. It starts new ones whenever it is made, connects or has been disconnected, and never stops any:
 * they would hold the caches for ever, and through what is in them the client itself.
 */
class CacheTimers {
  #running: readonly NodeJS.Timeout[] = [];
  #isOver = false;

  /** What `work` starts takes the place of what ran before. */
  startedBy<T>(work: () => T): T {
    const { setInterval } = timers;
    const started: NodeJS.Timeout[] = [];
    const noting: typeof setInterval = Object.assign((...how: Parameters<typeof setInterval>) => {
      const timer = setInterval(...how);
      started.push(timer);
      return timer;
    }, setInterval);
    timers.setInterval = noting;
    try {
      return work();
    } finally {
      timers.setInterval = setInterval;
      this.#stop();
      this.#running = started;
      if (this.#isOver) this.#stop();
    }
  }

  /** From now on none runs, whatever is started. */
  end(): void {
    this.#isOver = true;
    this.#stop();
  }

  #stop(): void {
    for (const timer of this.#running) clearInterval(timer);
  }
}
