import { webApi } from '../../platform/platform-constants.ts';
import { chooseProxies, type ProxySettings, proxyVariable } from '../../platform/proxy.ts';

/** What somebody does who does not get to the platform: that depends on whether a proxy leads there. */
export function networkRemedy(settings: ProxySettings): string {
  const name = chooseProxies(settings)(webApi) === undefined ? undefined : proxyVariable(settings);
  const withProxy =
    name === undefined ? '; behind a proxy, set PLATFORM_PROXY' : `, or mend the proxy of ${name}`;
  return `Try again later${withProxy}`;
}
