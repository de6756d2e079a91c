import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { buffer, json, text } from 'node:stream/consumers';
import { type Caddy, startCaddy } from '@steward/testing/caddy-front';
import { eventually } from '@steward/testing/eventually';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { Dashboard } from '../packages/control-api/src/http/dashboard/dashboard.ts';
import { PageFiles } from '../packages/control-api/src/http/dashboard/page-files.ts';
import { openApi, testKey } from '../packages/control-api/test/api/stage/open-api.ts';
import { dayStarted } from '../packages/control-api/test/events/stage/stream-stage.ts';
import type { Compose } from './images/compose.ts';

const page = readFileSync(new URL('../docs/https.md', import.meta.url), 'utf8');
const compose: Compose = parse(readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8'), {
  merge: true,
});
const authorization = `Bearer ${testKey}`;

describe('the Caddyfile', () => {
  it('for one farm brings the page, the API, its WebSocket, its streams and its backups over TLS', async () => {
    await using farm = await openFarm('Willow');
    await using caddy = await startSites('one farm', { 8090: farm.port });
    const through = client(caddy, 'farm.example');
    expect(await text(await through.get('/'))).toContain('Willow');
    expect((await through.get('/api/status', { authorization: '' })).statusCode).toBe(401);

    const socket = through.webSocket('/api/ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'auth', payload: { token: testKey } }));
    const [answer] = await once(socket, 'message');
    expect(JSON.parse(String(answer))).toMatchObject({ type: 'auth_success' });
    socket.terminate();

    const stream = await through.get('/api/events/stream');
    let read = '';
    // Two pieces may come at once, and who waits for the next one only loses the second.
    stream.on('data', (piece: Buffer) => {
      read += String(piece);
    });
    for (const day of [5, 6]) {
      const { cursor } = farm.api.bridge.events.append(dayStarted(day));
      // Held back, it would not come: nothing else is written that would push it on.
      while (!read.includes(`id: ${cursor}\ndata: `)) await once(stream, 'data');
    }
    stream.destroy();

    const [path = ''] = globSync(join(farm.api.directory, 'backups/*.zst'));
    const bytes = randomBytes(16_000_000);
    writeFileSync(path, bytes);
    const file = await buffer(await through.get('/api/backups/20261122T190000Z-3f9a7c/file'));
    expect(digest(file)).toBe(digest(bytes));
  });

  it('tells the service who asks, and nobody can say that they are somebody else', async () => {
    await using farm = await openFarm('Willow');
    await using caddy = await startSites('at home', { 8090: farm.port });
    const through = client(caddy, 'farm.home.arpa');
    await through.get('/api/time?value=1200', { 'x-forwarded-for': '203.0.113.7' }, 'POST');
    const told = (await json(await through.get('/api/audit'))) as { lines: { address: string }[] };
    expect(told.lines.map(({ address }) => address)).toEqual(['127.0.0.2']);
  });

  it('for three farms leads each name to its own', async () => {
    const names = ['Willow', 'Hazel', 'Rowan'] as const;
    await using willow = await openFarm(names[0]);
    await using hazel = await openFarm(names[1]);
    await using rowan = await openFarm(names[2]);
    const ports = { 8201: willow.port, 8202: hazel.port, 8203: rowan.port };
    await using caddy = await startSites('three farms', ports);
    for (const name of names) {
      const answer = await client(caddy, `${name.toLowerCase()}.example`).get('/');
      expect(await text(answer)).toContain(name);
    }
  });
});

describe('the labels for Traefik', () => {
  const machine = parse(recipe('traefik')) as {
    services: { traefik: { image: string; command: string[]; networks: string[] } };
  };
  const farm = parse(recipe('traefik for willow')) as {
    services: Record<string, { networks: string[]; labels: string[] }>;
    networks: Record<string, { external: boolean }>;
  };
  const { server } = farm.services;
  const labels = Object.fromEntries(
    (server?.labels ?? []).map((label) => label.split(/=(.*)/s) as [string, string]),
  );

  it('are those of the server alone, for the port of the page', () => {
    expect(Object.keys(farm.services)).toEqual(['server']);
    expect(compose.services.server.ports?.at(-1)).toMatch(
      new RegExp(`:${labels['traefik.http.services.willow.loadbalancer.server.port']}$`),
    );
  });

  it('are read by a Traefik that speaks to Docker 29, as 3.6 is the first to', () => {
    const [, minor] = /^traefik:v3\.(\d+)$/.exec(machine.services.traefik.image) ?? [];
    expect(Number(minor)).toBeGreaterThanOrEqual(6);
  });

  it('name what there is: the network, the entry point, the resolver', () => {
    expect(server?.networks).toEqual([labels['traefik.docker.network']]);
    expect(machine.services.traefik.networks).toEqual(server?.networks);
    expect(farm.networks).toEqual({ traefik: { external: true } });
    const defined = machine.services.traefik.command.join('\n');
    expect(defined).toContain(`--entrypoints.${labels['traefik.http.routers.willow.entrypoints']}.address=`);
    expect(defined).toContain(
      `--certificatesresolvers.${labels['traefik.http.routers.willow.tls.certresolver']}.acme.`,
    );
  });
});

/** The service with its page, as a proxy finds it. */
async function openFarm(instance: string) {
  const directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'index.html'), '<!doctype html><!-- facts -->');
  const api = await openApi({
    key: testKey,
    trustedProxies: ['127.0.0.1'],
    leftBackups: [{ id: '20261122T190000Z-3f9a7c' }],
  });
  const dashboard = new Dashboard({
    app: api.app,
    files: new PageFiles(directory.path, { farms: [], instance, version: '1.2.3' }),
    farms: [],
    card: undefined,
    status: () => ({}) as never,
  });
  const port = await dashboard.listen('127.0.0.1', 0);
  return {
    api,
    port,
    async [Symbol.asyncDispose]() {
      await dashboard.close();
      await api[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

/** The block of the page, with certificates of Caddy's own authority, and ports of this machine. */
function startSites(name: string, ports: Readonly<Record<number, number>>): Promise<Caddy> {
  return startCaddy((port) => {
    const sites = recipe(name)
      .replaceAll('\ttls internal\n', '')
      .replaceAll(/^(\S+) \{$/gm, (_, site) => `${site}:${port} {\n\ttls internal`);
    return Object.entries(ports).reduce(
      (made, [told, real]) => made.replace(`127.0.0.1:${told}`, `127.0.0.1:${real}`),
      sites,
    );
  });
}

/** Somebody at another address, for whom the name leads to this machine. */
function client(caddy: Caddy, name: string) {
  const reach = () => ({
    host: '127.0.0.1',
    port: caddy.port,
    localAddress: '127.0.0.2',
    servername: name,
    ca: caddy.ca(),
  });
  const ask = async (path: string, headers: Readonly<Record<string, string>>, method: string) => {
    const asked = request({
      ...reach(),
      path,
      method,
      headers: { host: name, authorization, ...headers },
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  let isCertified = false;
  return {
    async get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
      // The certificate comes a moment after the port is open.
      if (!isCertified) {
        const look = () =>
          ask('/', {}, 'GET').then(
            (answer) => answer.resume(),
            () => undefined,
          );
        await eventually(look, { missing: () => `no certificate for ${name}` });
      }
      isCertified = true;
      return ask(path, headers, method);
    },
    webSocket: (path: string) =>
      new WebSocket(`wss://127.0.0.1:${caddy.port}${path}`, { ...reach(), headers: { host: name } }),
  };
}

/** The block that is marked so. */
function recipe(name: string): string {
  const [, block] = new RegExp(`<!-- recipe: ${name} -->\n\`\`\`\\w*\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (block === undefined) throw new Error(`the page has no recipe ${name}`);
  return block;
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
