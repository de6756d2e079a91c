import { randomBytes } from 'node:crypto';
import { type Answer, ask } from '../ask.ts';
import type { Check } from '../examination.ts';
import { failed } from '../finding.ts';
import { readConnectionManagers } from '../key-values.ts';
import type { Route } from '../route.ts';
import { mostOf, mostTried } from './most-of.ts';

const limitMs = 12_000;
const switchingProtocols = 101;

/** The servers that sessions live on: whether a WebSocket opens. Nothing is said over it. */
export const connectionManagersCheck: Check<{ readonly route: Route; readonly directory: Answer }, true> = {
  name: 'connection-managers',
  title: 'Connection managers',
  limitMs,
  examine({ route, directory }) {
    const [first, ...others] = readConnectionManagers(directory.body).slice(0, mostTried);
    if (first === undefined)
      return failed(
        'network',
        'the platform named none',
        'Try again later; a proxy that changes answers does this, too',
      );
    return mostOf([first, ...others], route, 'take WebSockets', (url) => openWebSocket(url, route));
  },
};

async function openWebSocket(url: URL, route: Route): Promise<void> {
  const { status } = await ask(url, route, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  });
  if (status !== switchingProtocols)
    throw Object.assign(new Error('it opened no WebSocket'), { code: `HTTP_${status}` });
}
