import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command } from '@steward/shared/bridge/commands';
import { expect, it } from 'vitest';
import { existingRendering } from '../../src/game/existing/existing-answers.ts';
import { ExistingClient, existingRemedies } from '../../src/game/existing/existing-client.ts';
import { existingLimits } from '../../src/game/existing/existing-limits.ts';
import { isTransient, type Operation } from '../../src/game/operations/operation.ts';
import { retention } from '../../src/game/operations/operation-index.ts';
import { bridgeLimits } from '../../src/game/state/limits.ts';
import { operationsOver } from './stage/existing-operations.ts';

const nine: Command = { name: 'setTime', params: { value: 900 } };
const deletion: Command = { name: 'deleteFarmhand', params: { target: { playerId: '7' } } };
const forGood = { state: 'unknown', forGood: true };

/** Where nothing is answered that is waited for, and nowhere else: a busy machine takes its time. */
const silenceMs = 200;

async function answering(listener: RequestListener, writeMs: number = existingLimits.writeMs) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const limits = { ...existingLimits, writeMs };
  const origin = `http://127.0.0.1:${port}`;
  const client = new ExistingClient({ url: new URL(origin), key: undefined, limits });
  return {
    client,
    origin,
    close,
    [Symbol.asyncDispose]: () => (server.listening ? close() : Promise.resolve()),
  };
}

const says =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(body);

const notSent = (why: RegExp) => ({
  state: 'refused',
  outcome: { code: 'not-ready', message: expect.stringMatching(why) },
});

const hasNo = (path: string) => ({
  state: 'refused',
  outcome: { code: 'unsupported', message: `This version of the existing server has no ${path}` },
});

it.each<[string, Command, RequestListener, object]>([
  ['503 with retry', nine, says(503, '{"error":"busy","retry":true}'), { state: 'refused' }],
  ['503 with retry: false', nine, says(503, '{"retry":false}'), forGood],
  ['503 without retry', nine, says(503, '{"success":false,"error":"Service Unavailable"}'), forGood],
  ['503 of something between', nine, says(503, '<html>Service Unavailable</html>'), forGood],
  ['503 with nothing', nine, says(503, ''), forGood],
  ['500', nine, says(500, '{"error":"oops"}'), forGood],
  ['404', nine, says(404, '{"error":"Not found","path":"/time"}'), hasNo('POST /time')],
  [
    '404 to a deletion',
    deletion,
    says(404, '{"error":"Not found","path":"/farmhands"}'),
    hasNo('DELETE /farmhands'),
  ],
  ['405', nine, says(405, '{"error":"Method not allowed"}'), hasNo('POST /time')],
  ['401', nine, says(401, '{"error":"Unauthorized"}'), notSent(/EXISTING_API_KEY is not set/)],
  [
    '200 that timed out',
    deletion,
    says(200, '{"success":false,"error":"Timed out waiting for it"}'),
    forGood,
  ],
  ['200 with a timeout', deletion, says(200, '{"success":false,"error":"Request timeout"}'), forGood],
  [
    '200 that failed',
    deletion,
    says(200, '{"success":false,"error":"Farmhand id=7 not found"}'),
    { state: 'refused' },
  ],
  [
    '200 of an exception',
    deletion,
    says(200, '{"success":false,"error":"The save was not found"}'),
    { ...forGood, why: 'the game failed: The save was not found' },
  ],
  ['200 without JSON', nine, says(200, 'OK'), forGood],
  ['200 of another form', nine, says(200, '{"ok":true}'), forGood],
  ['a cut line', nine, ({ socket }) => socket.destroy(), forGood],
  ['silence', nine, () => {}, forGood],
])('an answer of %s is taken for what it proves', async (what, command, listener, expected) => {
  await using there = await answering(listener, what === 'silence' ? silenceMs : undefined);
  expect(await operationsOver(there.client).run(command)).toMatchObject(expected);
});

it('a server that is not there has done nothing', async () => {
  const there = await answering(says(200, ''));
  await there.close();
  const operation = await operationsOver(there.client).run(nine);
  expect(operation).toMatchObject(notSent(/ECONNREFUSED/));
  // So the key that it was sent under is free for another try.
  expect(isTransient(operation as Operation)).toBe(true);
});

it.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed, and is no server', async (status) => {
  const heard: string[] = [];
  await using elsewhere = await answering(({ method, url }, response) => {
    heard.push(`${method} ${url}`);
    response.end('{"success":true,"fps":60}');
  });
  const location = `${elsewhere.origin}/inside`;
  await using there = await answering((_request, response) => response.writeHead(status, { location }).end());
  const { signal } = new AbortController();
  for (const read of [
    there.client.read('/rendering', existingRendering, signal),
    there.client.newer('/rendering', 1, existingRendering, signal),
  ])
    await expect(read).rejects.toMatchObject({
      message: expect.stringMatching(`^it answers with a redirect \\(${status}\\) to .*/rendering$`),
      remedy: existingRemedies.notIt,
    });
  expect(await operationsOver(there.client).run(nine)).toMatchObject({
    ...forGood,
    why: expect.stringContaining('redirect'),
  });
  expect(heard).toEqual([]);
});

it('an answer that lacks something may be of another version of that server, which the remedy names', async () => {
  await using there = await answering(says(200, '{"success":true}'));
  const read = there.client.read('/rendering', existingRendering, new AbortController().signal);
  await expect(read).rejects.toMatchObject({
    message: expect.stringMatching(/^its answer to \/rendering is not as expected: fps/),
    remedy: expect.stringMatching(/EXISTING_URL.* a version of it that docs\/migrating\.md names/),
  });
});

it('outcomes that nobody will ever tell are in nobody’s way, and forgotten in their turn', async () => {
  const { operations, run } = operationsOver({ write: async () => ({ kind: 'unknown', why: 'lost' }) });
  const ids: string[] = [];
  expect(retention.withoutKey).toBeGreaterThan(bridgeLimits.commandsInHand);
  for (let each = 0; each < retention.withoutKey + 3; each += 1) {
    const operation = await run(nine);
    expect(operation).toMatchObject(forGood);
    ids.push(operation.id);
  }
  const known = ids.map((id) => operations.find(id) !== undefined);
  expect(known.indexOf(true)).toBe(3);
  expect(known.filter(Boolean)).toHaveLength(retention.withoutKey);
});
