import { connect } from 'node:net';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import { libraryProxy } from '../../platform/library-proxy.ts';
import { chooseProxies, proxyVariable } from '../../platform/proxy-for.ts';
import { webApi } from '../../platform/web-api.ts';
import type { Check } from '../examination.ts';
import { failed, ok } from '../finding.ts';
import type { Route } from '../route.ts';
import { errorCode } from '../what-went-wrong.ts';

const connectLimitMs = 5_000;
const limitMs = 6_000;

/** Whether the proxy takes connections. What it thinks of the platform's hosts, their own lines say. */
export const proxyCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, Route> = {
  name: 'proxy',
  title: 'Proxy',
  limitMs,
  async examine({ configuration }) {
    const proxyFor = chooseProxies(configuration);
    const route: Route = { proxyFor, ...libraryProxy(proxyFor) };
    const proxy = proxyFor(webApi);
    const name = proxyVariable(configuration);
    if (name === undefined) return ok('none is set', route);
    if (proxy === undefined) return ok(`NO_PROXY excepts the platform from ${name}`, route);
    const { hostname, port } = new URL(proxy.url.reveal());
    try {
      await reach(hostname.replace(/^\[|\]$/g, ''), Number(port));
      return ok(`the one of ${name} takes connections`, route);
    } catch (error) {
      return failed(
        'network',
        `the one of ${name} takes no connections (${errorCode(error)})`,
        `Start it, or mend ${name}`,
      );
    }
  },
};

function reach(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal: AbortSignal.timeout(connectLimitMs) });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
