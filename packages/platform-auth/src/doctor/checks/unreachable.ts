import { certificateRemedy } from '../../platform/unreachable.ts';
import { failed } from '../finding.ts';
import type { Route } from '../route.ts';

/** What mends a host that cannot be reached depends on what stands between. */
export function unreachable(url: URL, { proxyFor }: Pick<Route, 'proxyFor'>, code: string) {
  const isProxied = proxyFor(url) !== undefined;
  const found = `${url.host} cannot be reached ${isProxied ? 'over the proxy' : 'straight'} (${code})`;
  return failed('network', found, certificateRemedy(code) ?? remedyFor(isProxied, url.port || '443'));
}

function remedyFor(isProxied: boolean, port: string): string {
  if (isProxied) return `Let the proxy open tunnels to this host on port ${port}`;
  return `Let the firewall pass port ${port} of it, or set PLATFORM_PROXY`;
}
