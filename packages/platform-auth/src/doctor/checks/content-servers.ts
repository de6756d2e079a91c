import { webApi } from '../../platform/web-api.ts';
import { type Answer, ask } from '../ask.ts';
import type { Check } from '../examination.ts';
import { failed } from '../finding.ts';
import { readContentServers } from '../key-values.ts';
import type { Route } from '../route.ts';
import { mostOf, mostTried } from './most-of.ts';

const limitMs = 22_000;
const servers = new URL(
  '/IContentServerDirectoryService/GetServersForSteamPipe/v0001/?cell_id=0&max_servers=20&format=vdf',
  webApi,
);

/** Where the game is downloaded from. Any answer will do: what is there is for the download to find out. */
export const contentServersCheck: Check<{ readonly route: Route; readonly directory: Answer }, true> = {
  name: 'content-servers',
  title: 'Content servers',
  limitMs,
  async examine({ route }) {
    const { status, body } = await ask(servers, route);
    const [first, ...others] = readContentServers(body).slice(0, mostTried);
    if (first === undefined)
      return failed('network', `the platform named none (${status})`, 'Try again later');
    return mostOf([first, ...others], route, 'answer', (url) => ask(url, route));
  },
};
