import { once } from 'node:events';
import { createServer } from 'node:http';
import { get } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { proxyAgent } from './library-proxy.ts';
import { type ProxyAddress, parseProxy } from './proxy.ts';

const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  opened.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function proxyAt(text: string): ProxyAddress {
  const parsed = parseProxy(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

/** What comes of a request through it. */
async function cameOf(proxy: ProxyAddress): Promise<Error & { readonly proxyConnecting?: boolean }> {
  const [error] = await once(get('https://host.example/', { agent: proxyAgent(proxy) }), 'error');
  return error;
}

const logins = [
  ['ann:p%40ss', 'ann:p@ss'],
  ['ann:p^w d', 'ann:p^w d'],
  ['ann:100%25', 'ann:100%'],
  ['a%3Ab:%C3%A4', 'a:b:ä'],
  ['ann', 'ann:'],
] as const;

it.each(logins)('%s@ is told an HTTP proxy as it is meant', async (written, meant) => {
  const told: unknown[] = [];
  const server = createServer().on('connect', ({ headers, url }, socket) => {
    told.push(url, headers['proxy-authorization']);
    socket.end('HTTP/1.1 407 No\r\n\r\n');
  });
  const port = await listening(server);
  expect(await cameOf(proxyAt(`http://${written}@127.0.0.1:${port}`))).toMatchObject({
    message: 'Proxy CONNECT 407 No',
  });
  const header = `Basic ${Buffer.from(meant).toString('base64')}`;
  expect(told).toEqual(['host.example:443', header]);
});

it.each(logins)('%s@ is told a SOCKS proxy as it is meant', async (written, meant) => {
  const told = Promise.withResolvers<string>();
  const server = createSocketServer((client) => {
    client.once('data', () => {
      client.write(Buffer.of(5, 2));
      client.once('data', (login) => {
        const [name, secret] = [login.subarray(2), login.subarray(3 + (login[1] ?? 0))];
        told.resolve(`${name.subarray(0, login[1])}:${secret}`);
        client.end(Buffer.of(1, 1));
      });
    });
  });
  const port = await listening(server);
  await cameOf(proxyAt(`socks5://${written}@127.0.0.1:${port}`));
  expect(await told.promise).toBe(meant);
});

const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
const hasIpv6 = addresses.some(({ address }) => address === '::1');

it.runIf(hasIpv6)('reaches a SOCKS proxy that is given by its IPv6 address', async () => {
  let reached = 0;
  const server = createSocketServer((client) => {
    reached += 1;
    client.destroy();
  });
  const port = await listening(server, '::1');
  await cameOf(proxyAt(`socks5://[::1]:${port}`));
  expect(reached).toBe(1);
});

it.each(['a proxy that resets what it has refused', 'one that keeps it open'])(
  '%s leaves no connection behind, and no error that nobody hears',
  async (which) => {
    const gone = Promise.withResolvers<void>();
    const server = createServer().on('connect', (_request, socket) => {
      for (const way of ['end', 'close', 'error']) socket.on(way, () => gone.resolve());
      socket.resume();
      socket.write('HTTP/1.1 403 No\r\ncontent-length: 100000\r\n\r\nIt is', () => {
        if (which.includes('resets')) (socket as unknown as { resetAndDestroy(): void }).resetAndDestroy();
      });
    });
    const port = await listening(server);
    const came = await cameOf(proxyAt(`http://127.0.0.1:${port}`));
    expect(came.message).toMatch(/^Proxy CONNECT 403|ECONNRESET/);
    await gone.promise;
  },
);

it('says of a proxy that is not there that it is the proxy', async () => {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  expect(await cameOf(proxyAt(`http://127.0.0.1:${port}`))).toMatchObject({
    code: 'ECONNREFUSED',
    proxyConnecting: true,
  });
});

it('passes on what the proxy sends with its answer', async () => {
  const hello = Promise.withResolvers<Buffer>();
  const server = createServer().on('connect', (_request, socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 200 Yes\r\n\r\nno TLS at all');
    void buffer(socket).then(hello.resolve, () => {});
  });
  const port = await listening(server);
  const came = await cameOf(proxyAt(`http://127.0.0.1:${port}`));
  // The bytes were read as TLS, which they are not.
  expect(came).toMatchObject({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
});
