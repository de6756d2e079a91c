import { failed } from '../finding.ts';
import type { Route } from '../route.ts';

const certificateTrouble = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

/** What mends a host that cannot be reached depends on what stands between. */
export function unreachable(url: URL, { proxyFor }: Pick<Route, 'proxyFor'>, code: string) {
  const isProxied = proxyFor(url) !== undefined;
  const found = `${url.host} cannot be reached ${isProxied ? 'over the proxy' : 'straight'} (${code})`;
  return failed('network', found, remedyFor(code, isProxied, url.port || '443'));
}

function remedyFor(code: string, isProxied: boolean, port: string): string {
  if (certificateTrouble.test(code))
    return 'Something on the way reads the traffic: give its certificate to Node in NODE_EXTRA_CA_CERTS, or go around it';
  if (isProxied) return `Let the proxy open tunnels to this host on port ${port}`;
  return `Let the firewall pass port ${port} of it, or set PLATFORM_PROXY`;
}
