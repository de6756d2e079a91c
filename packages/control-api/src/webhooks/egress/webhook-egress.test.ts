import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { systemClock } from '@steward/service-kit/clock';
import { ManualClock } from '@steward/testing/manual-clock';
import { makeCertificate } from '@steward/testing/nginx-front';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Posted } from '../sending.ts';
import { readAllowed } from './allow-list.ts';
import { type EgressParts, egressLimits, WebhookEgress } from './webhook-egress.ts';

const message = { headers: { 'content-type': 'application/json', 'webhook-id': '1' }, body: '{"told":"ö"}' };
const ended: Disposable[] = [];

afterEach(() => {
  for (const one of ended.splice(0)) one[Symbol.dispose]();
});

interface Made extends Partial<Omit<EgressParts, 'allowed'>> {
  readonly allow?: readonly string[];
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
}

function egress({ allow = [], addresses = {}, ...parts }: Made = {}): WebhookEgress {
  return new WebhookEgress({
    allowed: allow.flatMap((text) => readAllowed(text) ?? []),
    clock: systemClock,
    resolve: async (host) => addresses[host] ?? [],
    ...parts,
  });
}

const toReceiver = { allow: ['receiver.lan'], addresses: { 'receiver.lan': ['127.0.0.1'] } };
const never = new AbortController().signal;

/** Listens on every address of this machine, and answers each request as it is told. */
async function receiver(answer: (request: IncomingMessage, socket: Socket) => void, host = '::') {
  const requests: {
    readonly request: IncomingMessage;
    readonly body: string;
    readonly at: string | undefined;
  }[] = [];
  const server = createHttpServer(async (request) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    requests.push({ request, body, at: request.socket.localAddress });
    answer(request, request.socket);
  });
  return { ...(await listening(server, host)), requests };
}

/** Answers each connection as it is told, before anything was asked. */
async function rawReceiver(accept: (socket: Socket) => void) {
  return listening(
    createServer((socket) => {
      socket.on('error', () => {}).resume();
      accept(socket);
    }),
  );
}

async function listening(server: Server, host = '::') {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, host), 'listening');
  ended.push({
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, open: () => sockets.size, connections: () => connections };
}

function reply(socket: Socket, status: string, ...lines: readonly string[]): void {
  socket.end(`HTTP/1.1 ${status}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`);
}

it('sends one request to the address of the name, and tells what is answered', async () => {
  const { port, requests, open } = await receiver((_request, socket) => {
    socket.end('HTTP/1.1 429 Slow down\r\nRetry-After: 3\r\nContent-Length: 7\r\n\r\n{"a":1}');
  });
  const posted = await egress(toReceiver).post(`http://Receiver.lan:${port}/hook?x=1`, message, never);
  expect(posted).toEqual({
    kind: 'answered',
    status: 429,
    headers: { 'retry-after': '3', 'content-length': '7' },
    body: '{"a":1}',
  });
  const [{ request, body } = { request: undefined, body: undefined }] = requests;
  expect(requests).toHaveLength(1);
  expect(body).toBe(message.body);
  expect(request).toMatchObject({ method: 'POST', url: '/hook?x=1' });
  expect(request?.headers).toEqual({
    ...message.headers,
    host: `receiver.lan:${port}`,
    'user-agent': 'Steward',
    'content-length': '13',
    connection: 'close',
  });
  await expect.poll(open).toBe(0);
});

it('says in a sentence why a URL is none, before anything is sent', () => {
  expect(egress().check('https://receiver.example/hook')).toBeUndefined();
  expect(egress().check('http://receiver.example/hook')).toMatch(/^The URL is plain http, .* WEBHOOK_ALLOW/);
});

describe('where it goes', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', 'localhost'])(
    'is not an address of this machine, %s, and nobody is reached',
    async (host) => {
      const { port, connections } = await receiver((_request, socket) => reply(socket, '204 Done'));
      const posted = await egress().post(`https://${host}:${port}/hook`, message, never);
      expect(posted).toMatchObject({ kind: 'failed', reason: expect.stringContaining('WEBHOOK_ALLOW') });
      expect(connections()).toBe(0);
    },
  );

  it('is not where a name leads of which one address may not be reached', async () => {
    const { port, connections } = await receiver((_request, socket) => reply(socket, '204 Done'));
    const mixed = { 'receiver.lan': ['127.0.0.2', '127.0.0.1'] };
    const posted = await egress({ allow: ['127.0.0.2'], addresses: mixed }).post(
      `http://receiver.lan:${port}/secret`,
      message,
      never,
    );
    expect(posted).toEqual({
      kind: 'failed',
      reason:
        'The URL resolves to 127.0.0.1, which is not a public address: list receiver.lan in WEBHOOK_ALLOW if you want this',
    });
    expect(connections()).toBe(0);
  });

  it('is the address that was checked, whatever the name leads to a moment later', async () => {
    const { port, requests, connections } = await receiver((_request, socket) => reply(socket, '204 Done'));
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const resolve = vi.fn(async () => answers.shift() ?? ['127.0.0.1']);
    const out = egress({ allow: ['127.0.0.2'], resolve });
    const url = `http://receiver.lan:${port}/hook`;
    expect(await out.post(url, message, never)).toMatchObject({ kind: 'answered', status: 204 });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(requests[0]?.at).toMatch(/127\.0\.0\.2$/);
    expect(await out.post(url, message, never)).toMatchObject({ kind: 'failed' });
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(connections()).toBe(1);
  });

  it('is another of its addresses where one does not answer', async () => {
    const { port, requests } = await receiver((_request, socket) => reply(socket, '204 Done'), '127.0.0.1');
    const addresses = { 'receiver.lan': ['127.0.0.3', '127.0.0.2', '127.0.0.1'] };
    const out = egress({ allow: ['receiver.lan'], addresses });
    const posted = await out.post(`http://receiver.lan:${port}/`, message, never);
    expect(posted).toMatchObject({ kind: 'answered', status: 204 });
    expect(requests).toHaveLength(1);
  });

  it('is not where a redirect points', async () => {
    const other = await receiver((_request, socket) => reply(socket, '204 Done'));
    for (const status of ['301', '302', '303', '307', '308']) {
      const { port } = await receiver((_request, socket) =>
        reply(
          socket,
          `${status} Elsewhere`,
          `Location: http://127.0.0.1:${other.port}/`,
          'Content-Length: 0',
        ),
      );
      const posted = await egress(toReceiver).post(`http://receiver.lan:${port}/`, message, never);
      expect(posted).toMatchObject({ kind: 'answered', status: Number(status) });
    }
    expect(other.connections()).toBe(0);
  });

  it('is no proxy, whatever the environment names', async () => {
    const proxy = await rawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    const { port, requests } = await receiver((_request, socket) => reply(socket, '204 Done'));
    const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
    const script = `
      const { WebhookEgress } = await import(${here('./webhook-egress.ts')});
      const { readAllowed } = await import(${here('./allow-list.ts')});
      const { systemClock } = await import('@steward/service-kit/clock');
      const out = new WebhookEgress({ allowed: [readAllowed('127.0.0.1')], clock: systemClock });
      const posted = await out.post('http://127.0.0.1:${port}/', { headers: {}, body: '' }, new AbortController().signal);
      console.log(posted.status);`;
    const through = `http://127.0.0.1:${proxy.port}`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: through, http_proxy: through },
    });
    expect(stdout.trim()).toBe('204');
    expect(requests).toHaveLength(1);
    expect(proxy.connections()).toBe(0);
  });
});

describe('over TLS', () => {
  const folder = temporaryDirectory();
  const [certificate, key] = [join(folder.path, 'certificate.pem'), join(folder.path, 'key.pem')];

  beforeAll(() => {
    makeCertificate(certificate, key, ['DNS:receiver.lan']);
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, readFileSync(certificate, 'utf8')]);
    return () => {
      setDefaultCACertificates(before);
      folder[Symbol.dispose]();
    };
  });

  async function tlsReceiver() {
    const seen: { readonly servername: unknown; readonly host: string | undefined }[] = [];
    const server = createTlsServer(
      { cert: readFileSync(certificate), key: readFileSync(key) },
      (request, response) => {
        seen.push({
          servername: (request.socket as TLSSocket & { servername?: unknown }).servername,
          host: request.headers.host,
        });
        response.writeHead(204).end();
      },
    );
    return { ...(await listening(server)), seen };
  }

  const addresses = { 'receiver.lan': ['127.0.0.1'], 'other.lan': ['127.0.0.1'] };

  it('says the name of the host, and is told that it is the right one', async () => {
    const { port, seen } = await tlsReceiver();
    const out = egress({ allow: ['127.0.0.1'], addresses });
    expect(await out.post(`https://receiver.lan:${port}/`, message, never)).toMatchObject({ status: 204 });
    expect(seen).toEqual([{ servername: 'receiver.lan', host: `receiver.lan:${port}` }]);
  });

  it('trusts no certificate of another name, even where the environment would', async () => {
    const { port, seen } = await tlsReceiver();
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    ended.push({ [Symbol.dispose]: () => vi.unstubAllEnvs() });
    const out = egress({ allow: ['127.0.0.1'], addresses });
    for (const host of ['other.lan', '127.0.0.1']) {
      const posted = await out.post(`https://${host}:${port}/`, message, never);
      expect(posted).toMatchObject({ kind: 'failed', reason: expect.stringContaining('altnames') });
    }
    expect(seen).toEqual([]);
  });

  it('tells who speaks none', async () => {
    const { port } = await receiver((_request, socket) => reply(socket, '204 Done'));
    const posted = await egress({ allow: ['127.0.0.1'] }).post(`https://127.0.0.1:${port}/`, message, never);
    expect(posted).toMatchObject({ kind: 'failed', reason: expect.stringContaining(`127.0.0.1:${port} `) });
  });
});

describe('the time that all of it may take', () => {
  /** Posts, and lets the time pass once the receiver is where it stops. */
  async function timedOut(parts: Made, url: string, stuck: Promise<unknown>): Promise<Posted> {
    const clock = new ManualClock();
    const posting = egress({ ...parts, clock }).post(url, message, never);
    await stuck;
    clock.advance(egressLimits.postMs - 1);
    const still = await Promise.race([posting, new Promise((resolve) => setImmediate(resolve, 'still'))]);
    expect(still).toBe('still');
    clock.advance(1);
    return posting;
  }

  const tooLate = { kind: 'failed', reason: expect.stringContaining('has not answered within 10 s') };

  it('covers the name', async () => {
    const hanging = Promise.withResolvers<readonly string[]>();
    const asked = Promise.withResolvers<void>();
    const resolve = () => {
      asked.resolve();
      return hanging.promise;
    };
    expect(await timedOut({ resolve }, 'https://receiver.lan/', asked.promise)).toEqual(tooLate);
  });

  it('covers an answer that does not begin, and one that drips', async () => {
    for (const words of ['', 'HTTP/1.1 200 OK\r\nX-Drip: ']) {
      const { server, port, open } = await rawReceiver((socket) => void socket.write(words));
      const [stuck, url] = [once(server, 'connection'), `http://receiver.lan:${port}/`];
      expect(await timedOut(toReceiver, url, stuck)).toEqual(tooLate);
      await expect.poll(open).toBe(0);
    }
  });

  it('covers the body, behind a status that holds', async () => {
    const { port, open } = await receiver((_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
    });
    const { promise: read, resolve } = Promise.withResolvers<void>();
    const heard = (): void => resolve();
    subscribe('http.client.response.finish', heard);
    ended.push({ [Symbol.dispose]: () => void unsubscribe('http.client.response.finish', heard) });
    const posted = await timedOut(toReceiver, `http://receiver.lan:${port}/`, read);
    expect(posted).toMatchObject({ kind: 'answered', status: 200 });
    await expect.poll(open).toBe(0);
  });

  it('ends at once with whoever waits, wherever it is', async () => {
    const stopping = new AbortController();
    const { server, port, open } = await rawReceiver(() => {});
    const out = egress({ ...toReceiver, clock: new ManualClock() });
    const connected = once(server, 'connection');
    const posting = out.post(`http://receiver.lan:${port}/`, message, stopping.signal);
    await connected;
    stopping.abort();
    const brokenOff = { kind: 'failed', reason: expect.stringContaining('this webhook was stopped') };
    expect(await posting).toEqual(brokenOff);
    expect(await out.post(`http://receiver.lan:${port}/`, message, stopping.signal)).toEqual(brokenOff);
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
    await expect.poll(open).toBe(0);
  });
});

it('reads the beginning of a body without end, and hangs up', async () => {
  const { port, open } = await receiver((_request, socket) => {
    socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write('x'.repeat(1_000)));
    };
    socket.on('drain', more);
    more();
  });
  // Whose time does not pass: it ends by itself.
  const out = egress({ ...toReceiver, clock: new ManualClock() });
  const posted = await out.post(`http://receiver.lan:${port}/`, message, never);
  expect(posted).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(egressLimits.answerBytes) });
  await expect.poll(open).toBe(0);
});

it('keeps a status whose body breaks off', async () => {
  const { port } = await receiver((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy());
  });
  const posted = await egress(toReceiver).post(`http://receiver.lan:${port}/`, message, never);
  expect(posted).toMatchObject({ kind: 'answered', status: 200, body: 'abc' });
});

it.each<[string, (socket: Socket) => void]>([
  ['hangs up', (socket) => socket.destroy()],
  ['resets', (socket) => socket.resetAndDestroy()],
  ['speaks something else', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ['says nothing but 100', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'.repeat(5))],
  [
    'changes the protocol',
    (socket) => socket.end('HTTP/1.1 101 Other\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ],
  [
    'has headers without end',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`),
  ],
])('says that nobody answered where a receiver %s', async (_what, accept) => {
  const { port, open } = await rawReceiver((socket) => {
    socket.once('data', () => accept(socket));
  });
  const posted = await egress(toReceiver).post(`http://receiver.lan:${port}/secret`, message, never);
  expect(posted).toMatchObject({ kind: 'failed', reason: expect.stringContaining('receiver.lan') });
  expect(JSON.stringify(posted)).not.toContain('secret');
  await expect.poll(open).toBe(0);
});

it('says that nobody listens, and that nobody knows the name', async () => {
  const { server, port } = await rawReceiver(() => {});
  server.close();
  await once(server, 'close');
  const refused = await egress(toReceiver).post(`http://receiver.lan:${port}/`, message, never);
  expect(refused).toEqual({ kind: 'failed', reason: `receiver.lan:${port} refuses the connection` });
  const unknown = await new WebhookEgress({ allowed: [], clock: new ManualClock() }).post(
    'https://receiver.invalid/',
    message,
    never,
  );
  expect(unknown).toMatchObject({
    kind: 'failed',
    reason: expect.stringMatching(/^receiver\.invalid (is an unknown name|cannot be looked)/),
  });
  const empty = await egress().post('https://receiver.example/', message, never);
  expect(empty).toMatchObject({ kind: 'failed', reason: expect.stringContaining('no address') });
});

it('looks up one name at a time, leaves out whoever was stopped meanwhile, and takes the wait from nobody else', async () => {
  const clock = new ManualClock();
  const { port } = await receiver((_, socket) => void socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  const first = Promise.withResolvers<readonly string[]>();
  const asked: string[] = [];
  const resolve = (host: string) => {
    asked.push(host);
    return host === 'slow.example' ? first.promise : Promise.resolve(['127.0.0.1']);
  };
  const stopping = new AbortController();
  const out = egress({ clock, resolve, allow: ['next.example', '127.0.0.1'] });
  const slow = out.post('https://slow.example/', message, never);
  const stopped = out.post('https://stopped.example/', message, stopping.signal);
  const next = out.post(`http://next.example:${port}/`, message, never);
  await new Promise(setImmediate);
  stopping.abort();
  expect(await stopped).toMatchObject({ reason: expect.stringMatching(/has not answered yet: .* stopped$/) });
  clock.advance(2 * egressLimits.postMs);
  expect(await slow).toMatchObject({ reason: 'slow.example has not answered within 10 s' });
  expect(await out.post(`http://127.0.0.1:${port}/`, message, never)).toMatchObject({ status: 204 });
  expect(asked).toEqual(['slow.example']);
  first.resolve(['127.0.0.1']);
  expect(await next).toMatchObject({ kind: 'answered', status: 204 });
  expect(asked).toEqual(['slow.example', 'next.example']);
});

it('withstands whatever is answered', async () => {
  let answer: Uint8Array = new Uint8Array();
  const { port, open } = await rawReceiver((socket) => void socket.once('data', () => socket.end(answer)));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .tuple(
        fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.1 999 ', 'HTTP/1.0 204 x', 'HTTP/9.9 200'),
        fc.array(fc.string()),
        fc.string(),
      )
      .map(([status, headers, body]) => Buffer.from(`${[status, ...headers].join('\r\n')}\r\n\r\n${body}`)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (given) => {
      answer = given;
      const posted = await egress(toReceiver).post(`http://receiver.lan:${port}/`, message, never);
      expect(['answered', 'failed']).toContain(posted.kind);
    }),
    { numRuns: count({ small: 100, long: 5_000 }) },
  );
  await expect.poll(open).toBe(0);
});
