import { webApi } from '../../platform/web-api.ts';
import type { Check } from '../examination.ts';
import { failed, ok } from '../finding.ts';
import type { Route } from '../route.ts';
import { errorCode } from '../what-went-wrong.ts';

const limitMs = 10_000;

export type Lookup = (host: string) => Promise<unknown>;

/** Whether this machine can resolve names, where it is the one that has to. */
export function namesCheck(lookup: Lookup): Check<{ readonly route: Route }, true> {
  return {
    name: 'names',
    title: 'Names',
    limitMs,
    async examine({ route }) {
      if (route.proxyFor(webApi) !== undefined) return ok('the proxy resolves them', true);
      try {
        await lookup(webApi.hostname);
        return ok(`${webApi.hostname} resolves`, true);
      } catch (error) {
        return failed(
          'network',
          `${webApi.hostname} does not resolve (${errorCode(error)})`,
          'Mend the DNS server of this machine or container, or set PLATFORM_PROXY',
        );
      }
    },
  };
}
