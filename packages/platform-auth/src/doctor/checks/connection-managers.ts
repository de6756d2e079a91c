import { randomBytes } from 'node:crypto';
import { type Answer, ask } from '../ask.ts';
import type { Check } from '../examination.ts';
import { failed, ok, warning } from '../finding.ts';
import { readConnectionManagers } from '../key-values.ts';
import type { Route } from '../route.ts';
import { errorCode } from '../what-went-wrong.ts';
import { unreachable } from './unreachable.ts';

const limitMs = 12_000;
/** The libraries try a few, too; one that is down is no trouble. */
const tried = 3;
const switchingProtocols = 101;

/** The servers that sessions live on: whether a WebSocket opens. Nothing is said over it. */
export const connectionManagersCheck: Check<{ readonly route: Route; readonly directory: Answer }, true> = {
  name: 'connection-managers',
  title: 'Connection managers',
  limitMs,
  async examine({ route, directory }) {
    const urls = readConnectionManagers(directory.body)
      .slice(0, tried)
      .map((endpoint) => new URL(`https://${endpoint}/cmsocket/`));
    const [first] = urls;
    if (first === undefined)
      return failed(
        'network',
        'the platform named none',
        'Try again later; a proxy that changes answers does this, too',
      );
    const opened = await Promise.allSettled(urls.map((url) => open(url, route)));
    const refusals = opened.filter((each) => each.status === 'rejected');
    const [refusal] = refusals;
    if (refusal === undefined) return ok(`${opened.length} of ${opened.length} take WebSockets`, true);
    if (refusals.length < opened.length)
      return warning(
        `${opened.length - refusals.length} of ${opened.length} take WebSockets`,
        'None is needed while one does',
        true,
      );
    return unreachable(first, route, errorCode(refusal.reason));
  },
};

async function open(url: URL, route: Route): Promise<void> {
  const { status } = await ask(url, route, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  });
  if (status !== switchingProtocols)
    throw Object.assign(new Error('no WebSocket'), { code: `HTTP_${status}` });
}
