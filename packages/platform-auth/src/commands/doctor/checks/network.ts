import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Clock } from '@steward/service-kit/clock';
import type { PlatformAuthConfiguration } from '../../../configuration.ts';
import { libraryProxy } from '../../../platform/library-proxy.ts';
import { webApi } from '../../../platform/platform-constants.ts';
import { chooseProxies, hostOf, proxyVariable } from '../../../platform/proxy.ts';
import { certificateRemedy } from '../../../platform/unreachable.ts';
import { type Answer, ask, type Route } from '../ask.ts';
import { errorCode, failed, ok, type Result, warning } from '../check-finding.ts';
import type { Check } from '../examination.ts';
import { readConnectionManagers, readContentServers } from '../key-values.ts';

const limitsMs = {
  proxy: 6_000,
  names: 10_000,
  webApi: 12_000,
  clock: 1_000,
  connectionManagers: 12_000,
  contentServers: 22_000,
} as const;
const connectLimitMs = 5_000;

/** Whether the proxy takes connections. What it thinks of the platform's hosts, their own lines say. */
export const proxyCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, Route> = {
  name: 'proxy',
  title: 'Proxy',
  limitMs: limitsMs.proxy,
  async examine({ configuration }) {
    const proxyFor = chooseProxies(configuration);
    const route: Route = { proxyFor, ...libraryProxy(proxyFor) };
    const proxy = proxyFor(webApi);
    const name = proxyVariable(configuration);
    if (name === undefined) return ok('none is set', route);
    if (proxy === undefined) return ok(`NO_PROXY excepts the platform from ${name}`, route);
    const address = new URL(proxy.url.reveal());
    try {
      await connectTo(hostOf(address), Number(address.port));
      return ok(`the one in ${name} accepts connections`, route);
    } catch (error) {
      return failed(
        'network',
        `the one in ${name} does not accept connections (${errorCode(error)})`,
        `Start it, or fix ${name}`,
      );
    }
  },
};

function connectTo(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal: AbortSignal.timeout(connectLimitMs) });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

export type Lookup = (host: string) => Promise<unknown>;

/** Whether this machine can resolve names, where it is the one that has to. */
export function namesCheck(lookup: Lookup): Check<{ readonly route: Route }, true> {
  return {
    name: 'names',
    title: 'Names',
    limitMs: limitsMs.names,
    async examine({ route }) {
      if (route.proxyFor(webApi) !== undefined) return ok('the proxy resolves them', true);
      try {
        await lookup(webApi.hostname);
        return ok(`${webApi.hostname} resolves`, true);
      } catch (error) {
        return failed(
          'network',
          `${webApi.hostname} does not resolve (${errorCode(error)})`,
          'Fix the DNS server of this machine or container, or set PLATFORM_PROXY',
        );
      }
    },
  };
}

const serverDirectory = new URL(
  '/ISteamDirectory/GetCMListForConnect/v0001/?cellid=0&format=vdf&cmtype=websockets',
  webApi,
);

/** The platform's directory of its own servers, where every login begins. */
export const webApiCheck: Check<{ readonly route: Route; readonly names: true }, Answer> = {
  name: 'web-api',
  title: 'Platform web API',
  limitMs: limitsMs.webApi,
  async examine({ route }) {
    try {
      const answer = await ask(serverDirectory, route);
      if (answer.status === 200) return ok(`${webApi.hostname} answers`, answer);
      return failed(
        'network',
        `${webApi.hostname} answers ${answer.status}`,
        'Try again later; the platform or a proxy on the way refuses',
      );
    } catch (error) {
      return unreachable(webApi, route, errorCode(error));
    }
  },
};

const secondMs = 1_000;
/** What the way of the answer and the platform's whole seconds may make of two clocks that agree. */
const warnAboveSeconds = 30;
/** Certificates, tokens and tickets stop to be believed about here. */
const failAboveSeconds = 300;

const setTheClock = 'Set the clock of this machine: switch on its time synchronisation';

/** This machine's clock beside the platform's: tickets and players' connections break where they differ. */
export function clockCheck(clock: Pick<Clock, 'date'>): Check<{ readonly directory: Answer }, true> {
  return {
    name: 'clock',
    title: 'Clock',
    limitMs: limitsMs.clock,
    examine({ directory: { headers } }) {
      const theirs = Date.parse(headers.date ?? '');
      if (Number.isNaN(theirs)) return ok('the platform did not say what time it is', true);
      const skew = Math.round((clock.date().getTime() - theirs) / secondMs);
      const found = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the platform's`;
      if (Math.abs(skew) > failAboveSeconds) return { value: true, ...failed('failure', found, setTheClock) };
      if (Math.abs(skew) > warnAboveSeconds) return warning(found, setTheClock, true);
      return ok(`within ${warnAboveSeconds} s of the platform's`, true);
    },
  };
}

const switchingProtocols = 101;

/** The servers that sessions live on: whether a WebSocket opens. Nothing is said over it. */
export const connectionManagersCheck: Check<{ readonly route: Route; readonly directory: Answer }, true> = {
  name: 'connection-managers',
  title: 'Connection managers',
  limitMs: limitsMs.connectionManagers,
  examine({ route, directory }) {
    const [first, ...others] = readConnectionManagers(directory.body).slice(0, mostTried);
    if (first === undefined)
      return failed(
        'network',
        'the platform named none',
        'Try again later; a proxy that changes answers does this, too',
      );
    return mostOf([first, ...others], route, 'accept WebSockets', (url) => openWebSocket(url, route));
  },
};

async function openWebSocket(url: URL, route: Route): Promise<void> {
  const { status } = await ask(url, route, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  });
  if (status !== switchingProtocols)
    throw Object.assign(new Error('it opened no WebSocket'), { code: `HTTP_${status}` });
}

const contentServerList = new URL(
  '/IContentServerDirectoryService/GetServersForSteamPipe/v0001/?cell_id=0&max_servers=20&format=vdf',
  webApi,
);

/** Where the game is downloaded from. Any answer will do: what is there is for the download to find out. */
export const contentServersCheck: Check<{ readonly route: Route; readonly directory: Answer }, true> = {
  name: 'content-servers',
  title: 'Content servers',
  limitMs: limitsMs.contentServers,
  async examine({ route }) {
    const { status, body } = await ask(contentServerList, route);
    const [first, ...others] = readContentServers(body).slice(0, mostTried);
    if (first === undefined)
      return failed('network', `the platform named none (${status})`, 'Try again later');
    return mostOf([first, ...others], route, 'answer', (url) => ask(url, route));
  },
};

/** The platform names many servers of a kind; a few tell whether they can be reached, and one is enough. */
const mostTried = 3;

/** Reaches for each of several servers; `does` says what those do that were reached. */
async function mostOf(
  urls: readonly [URL, ...URL[]],
  route: Route,
  does: string,
  reach: (url: URL) => Promise<unknown>,
): Promise<Result<true>> {
  const tries = await Promise.allSettled(urls.map(reach));
  const refusals = tries.filter((each) => each.status === 'rejected');
  const found = `${tries.length - refusals.length} of ${tries.length} ${does}`;
  const [refusal] = refusals;
  if (refusal === undefined) return ok(found, true);
  if (refusals.length < tries.length) return warning(found, 'Nothing to do while one does', true);
  return unreachable(urls[0], route, errorCode(refusal.reason));
}

/** What mends a host that cannot be reached depends on what stands between. */
function unreachable(url: URL, { proxyFor }: Pick<Route, 'proxyFor'>, code: string) {
  const isProxied = proxyFor(url) !== undefined;
  const found = `${url.host} cannot be reached ${isProxied ? 'through the proxy' : 'directly'} (${code})`;
  return failed('network', found, certificateRemedy(code) ?? unreachableRemedy(isProxied, url.port || '443'));
}

function unreachableRemedy(isProxied: boolean, port: string): string {
  if (isProxied) return `Let the proxy open tunnels to this host on port ${port}`;
  return `Let the firewall allow its port ${port}, or set PLATFORM_PROXY`;
}
