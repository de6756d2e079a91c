import { type Answer, ask } from '../ask.ts';
import type { Check } from '../examination.ts';
import { failed, ok, warning } from '../finding.ts';
import { readContentServers } from '../key-values.ts';
import { type Route, webApi } from '../route.ts';
import { errorCode } from '../what-went-wrong.ts';
import { unreachable } from './unreachable.ts';

const limitMs = 22_000;
const tried = 3;
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
    const urls = readContentServers(body).slice(0, tried);
    const [first] = urls;
    if (first === undefined)
      return failed('network', `the platform named none (${status})`, 'Try again later');
    const answers = await Promise.allSettled(urls.map((url) => ask(url, route)));
    const refusals = answers.filter((each) => each.status === 'rejected');
    const [refusal] = refusals;
    if (refusal === undefined) return ok(`${answers.length} of ${answers.length} answer`, true);
    if (refusals.length < answers.length)
      return warning(
        `${answers.length - refusals.length} of ${answers.length} answer`,
        'None is needed while one does',
        true,
      );
    return unreachable(first, route, errorCode(refusal.reason));
  },
};
