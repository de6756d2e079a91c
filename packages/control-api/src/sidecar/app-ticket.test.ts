import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '@steward/service-kit/secret';
import { Problem } from '@steward/shared/problems/problem';
import { expect, it, onTestFinished } from 'vitest';
import { askForTicket } from './app-ticket.ts';

async function sidecar(answer: RequestListener): Promise<URL> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function json(status: number, body: unknown): RequestListener {
  return (_request, response) => response.writeHead(status).end(JSON.stringify(body));
}

const ticket = { app_ticket: 'dGlja2V0', platform_id: '76561198000000001' };

it('gives the ticket with the account as the sidecar says it', async () => {
  const url = await sidecar(json(200, ticket));
  expect(await askForTicket({ url, secret: undefined })).toEqual({
    ok: true,
    value: { ticket: 'dGlja2V0', platformId: '76561198000000001' },
  });
});

it('asks at the path below the base URL, with the shared secret', async () => {
  const asked: unknown[] = [];
  const url = await sidecar((request, response) => {
    asked.push(request.url, request.headers.authorization);
    json(200, ticket)(request, response);
  });
  await askForTicket({ url: new URL('/behind', url), secret: new Secret('s3cret') });
  expect(asked).toEqual(['/behind/platform/app-ticket', 'Bearer s3cret']);
});

it('passes on why there is no ticket, in the sidecar’s own words', async () => {
  const url = await sidecar(
    json(503, new Problem('platform-unavailable', 'No account; run setup').details()),
  );
  expect(await askForTicket({ url, secret: undefined })).toEqual({
    ok: false,
    reason: 'No account; run setup',
  });
});

it.each([
  [json(500, 'oops'), 'the sidecar answers 500'],
  [json(200, { hello: 'world' }), 'is no ticket; is PLATFORM_AUTH_URL right?'],
  [((_request, response) => response.end('<html>')) as RequestListener, 'does not answer'],
  [((request) => request.socket.destroy()) as RequestListener, 'does not answer'],
])('says what is wrong with an answer that is none (%#)', async (answer, reason) => {
  const url = await sidecar(answer);
  expect(await askForTicket({ url, secret: undefined })).toEqual({
    ok: false,
    reason: expect.stringContaining(reason),
  });
});

it('says where nobody answers', async () => {
  const url = new URL('http://127.0.0.1:9');
  expect(await askForTicket({ url, secret: undefined })).toEqual({
    ok: false,
    reason: expect.stringContaining('the sidecar at http://127.0.0.1:9 does not answer'),
  });
});
