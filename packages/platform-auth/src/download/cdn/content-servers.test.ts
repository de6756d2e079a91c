import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from '@steward/service-kit/http/node-http';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import type { ContentDirectory, ContentServer } from '../../platform/platform-session.ts';
import { ContentServers } from './content-servers.ts';

/** A content server that answers as many requests; whoever asks more often is refused the connection. */
async function contentServer(answers: number): Promise<ContentServer> {
  const server = createServer((_, response) => {
    response.writeHead(200, { connection: 'close' }).end('content');
    answers -= 1;
    if (answers === 0) server.close();
  });
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, name: address, isSecure: false, demandsToken: false, load: 1 };
}

it('asks for a new list of servers as soon as all of them have failed, and uses those at once', async () => {
  const clock = new ManualClock();
  const lists = [[await contentServer(1), await contentServer(1)], [await contentServer(9)]];
  let listed = 0;
  const directory: Pick<ContentDirectory, 'servers'> = { servers: async () => lists[listed++] ?? [] };
  const servers = new ContentServers({
    directory: directory as ContentDirectory,
    proxyFor: () => undefined,
    clock,
  });
  const fetch = () =>
    servers.fetch(
      {
        appId: 1,
        depotId: 11,
        what: 'chunk 1',
        bytes: { atMost: 100 },
        path: () => '/chunk',
        accept: async (content) => Buffer.from(content).toString(),
      },
      new AbortController().signal,
    );
  await fetch();
  await fetch();
  expect(listed).toBe(1);
  clock.advance(300_000);
  const third = fetch();
  // No pause ends: only the new list brings anything.
  expect(await third).toBe('content');
  expect(listed).toBe(2);
  servers.close();
});
