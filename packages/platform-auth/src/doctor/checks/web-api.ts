import { webApi } from '../../platform/web-api.ts';
import { type Answer, ask } from '../ask.ts';
import type { Check } from '../examination.ts';
import { failed, ok } from '../finding.ts';
import type { Route } from '../route.ts';
import { errorCode } from '../what-went-wrong.ts';
import { unreachable } from './unreachable.ts';

const limitMs = 12_000;
const directory = new URL(
  '/ISteamDirectory/GetCMListForConnect/v0001/?cellid=0&format=vdf&cmtype=websockets',
  webApi,
);

/** The platform's directory of its own servers, where every login begins. */
export const webApiCheck: Check<{ readonly route: Route; readonly names: true }, Answer> = {
  name: 'web-api',
  title: 'Platform web API',
  limitMs,
  async examine({ route }) {
    try {
      const answer = await ask(directory, route);
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
