import { isLoopback } from '@steward/service-kit/http/loopback';
import type { NoProxy } from './no-proxy.ts';
import type { ProxyAddress } from './proxy.ts';

export interface ProxySettings {
  readonly PLATFORM_PROXY: ProxyAddress | undefined;
  readonly HTTPS_PROXY: ProxyAddress | undefined;
  readonly ALL_PROXY: ProxyAddress | undefined;
  readonly NO_PROXY: NoProxy;
}

/** The variables in the order in which they count. */
const proxyVariables = ['PLATFORM_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const;

/** The one that names the proxy. */
export function proxyVariable(settings: ProxySettings): (typeof proxyVariables)[number] | undefined {
  return proxyVariables.find((name) => settings[name] !== undefined);
}

/** The proxy that leads to a URL of the platform; undefined means straight there. */
export type ProxyFor = (url: URL) => ProxyAddress | undefined;

/** One proxy for all of the platform's hosts, but for those that `NO_PROXY` excepts and for this machine. */
export function chooseProxies(settings: ProxySettings): ProxyFor {
  const name = proxyVariable(settings);
  const proxy = name && settings[name];
  return (url) => (isDirect(url, settings.NO_PROXY) ? undefined : proxy);
}

function isDirect(url: URL, noProxy: NoProxy): boolean {
  return isLoopback(url.hostname.replace(/^\[|\]$/g, '')) || noProxy.covers(url);
}
