import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bill, billName } from '../sbom/bill.ts';
import { shipped } from './bundle.ts';
import { nodeOptionsOf } from './services.ts';

let bundled: Awaited<ReturnType<typeof shipped>>;
const state = temporaryDirectory();

beforeAll(async () => {
  bundled = await shipped('control-api');
});
afterAll(() => {
  bundled[Symbol.dispose]();
  state[Symbol.dispose]();
});

const key = 'the key';
const headers = { authorization: `Bearer ${key}` };

function start(more: NodeJS.ProcessEnv = {}, nodeOptions: readonly string[] = []): Program {
  const environment = {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    API_KEY: key,
    STATE_DIR: state.path,
    SETTINGS_PATH: join(state.path, 'server-settings.json'),
    ...more,
  };
  return new Program(bundled.main, [], environment, { nodeOptions });
}

async function originOf(api: Program): Promise<string> {
  const [, origin = ''] = await api.line(/listening on (http:\S+?)["\s]/);
  return origin;
}

it('answers, shows its documentation, chats, and stops', async () => {
  await using api = start();
  const origin = await originOf(api);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  expect((await fetch(`${origin}/status`, { headers })).status).toBe(200);

  const committed = readFileSync(new URL('../../docs/api-spec.json', import.meta.url), 'utf8');
  const document = await fetch(`${origin}/api-spec/v1/api-spec.json`);
  expect(await document.json()).toEqual(JSON.parse(committed));

  const page = await fetch(`${origin}/docs`);
  expect(page.status).toBe(200);
  const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  expect(assets.length).toBeGreaterThan(4);
  for (const asset of assets) expect((await fetch(new URL(asset, page.url))).status, asset).toBe(200);

  expect(await exchange(`${origin.replace('http', 'ws')}/ws`, [{ type: 'ping' }])).toEqual(['pong']);

  api.kill('SIGTERM');
  expect(await api.exited).toEqual({ code: 0, signal: null });
});

/** Authenticates, sends the messages one after another, and gives the types of the answers. */
async function exchange(url: string, messages: readonly object[]): Promise<string[]> {
  const socket = new WebSocket(url);
  const answer = () =>
    new Promise<string>((resolve, reject) => {
      socket.addEventListener('message', ({ data }) => resolve(JSON.parse(data).type), { once: true });
      socket.addEventListener('close', ({ code }) => reject(new Error(`closed with ${code}`)), {
        once: true,
      });
    });
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const types: string[] = [];
  for (const message of [{ type: 'auth', payload: { token: key } }, ...messages]) {
    const answered = answer();
    socket.send(JSON.stringify(message));
    types.push(await answered);
  }
  socket.close();
  expect(types.shift()).toBe('auth_success');
  return types;
}

it('serves the page, which lies beside it with whose code it contains', async () => {
  await using api = start({ DASHBOARD_PORT: '0', DASHBOARD_HOST: '127.0.0.1' });
  const [, page = ''] = await api.line(/the page is listening on (http:[^"\s]+)/);
  const html = await (await fetch(page)).text();
  const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(assets.length).toBeGreaterThan(2);
  for (const asset of assets) expect((await fetch(new URL(asset, page))).status, asset).toBe(200);
  const licences = readFileSync(join(dirname(bundled.main), 'dashboard', 'THIRD-PARTY-LICENCES.txt'), 'utf8');
  for (const name of ['preact', '@preact/signals', 'lean-qr']) expect(licences).toContain(`\n${name} `);
});

it('is checked by its own command, without a line in its log', async () => {
  await using api = start();
  const port = new URL(await originOf(api)).port;
  await using check = new Program(bundled.main, ['healthcheck'], { API_HOST: '127.0.0.1', API_PORT: port });
  expect(await check.exited).toMatchObject({ code: 0 });
  api.kill('SIGTERM');
  await api.exited;
  expect(api.stdout.join('\n')).not.toContain('GET /health');
});

it('writes for people where it is asked to', async () => {
  await using api = start({ LOG_FORMAT: 'pretty' });
  const [line = ''] = await api.line(/INFO.*listening on/);
  expect(() => JSON.parse(line)).toThrow();
});

it('names the sources in the stack trace of what goes wrong', async () => {
  // The service asks this of the engine while it makes its default settings, so the error comes out of its own code.
  const breakEngine = 'data:text/javascript,Array.prototype.findLast=()=>{throw(RangeError(42))}';
  await using api = start({ NODE_OPTIONS: `--import ${breakEngine}` });
  expect(await api.exited).toMatchObject({ code: 1 });
  expect(api.stderr[0]).toBe('control-api: RangeError: 42');
  expect(api.stderr.join('\n')).toMatch(/at .*steward:\/\/\/packages\/[\w/-]+\.ts:\d+:\d+/);
});

it('needs nothing but Node and what lies beside it', () => {
  const directory = dirname(bundled.main);
  const files = readdirSync(directory).filter((file) => file.endsWith('.js'));
  const imports = files.flatMap((file) =>
    [...readFileSync(join(directory, file), 'utf8').matchAll(/^import [^'"]*["']([^'"]+)["'];$/gm)].map(
      ([, name = '']) => name,
    ),
  );
  expect(imports).toContain('node:fs');
  expect(imports.filter((name) => !name.startsWith('./') && !isBuiltin(name))).toEqual([]);
  // See `node-http.ts`: this import alone costs 20 ms and 12 MB.
  expect(imports).not.toContain('node:http');
});

it('reads nothing for a start that only the documentation needs', () => {
  const directory = dirname(bundled.main);
  const atStart = new Set<string>();
  const read = (file: string): void => {
    if (atStart.has(file)) return;
    atStart.add(file);
    const code = readFileSync(join(directory, file), 'utf8');
    for (const [, name = ''] of code.matchAll(/^(?:import|export) ?[^'"]*?["']\.\/([^'"]+)["'];/gm))
      read(name);
  };
  read('main.js');
  read('serve.js');
  const code = [...atStart].map((file) => readFileSync(join(directory, file), 'utf8')).join('\n');
  expect(atStart.size).toBeGreaterThan(3);
  // A text of each library, which it keeps when it is made short.
  expect(code).toContain('FST_ERR_');
  for (const text of ['swaggerCSP', 'transformSpecification', 'YAMLParseError', 'strictTypes'])
    expect(code, text).not.toContain(text);
});

it('starts without TLS, HTTP/2 and compression: they would be 2 MB', async () => {
  const listLoaded = `data:text/javascript,import{isMainThread}from'node:worker_threads';isMainThread&&process.on('exit',()=>console.log('loaded:',process.moduleLoadList.join()))`;
  await using api = start({ NODE_OPTIONS: `--import ${listLoaded}` });
  await originOf(api);
  api.kill('SIGTERM');
  const [line] = await api.line(/^loaded:.*/);
  const loaded = [...line.matchAll(/NativeModule ([^,]+)/g)].map(([, name]) => name);
  expect(loaded).toContain('net');
  for (const name of ['tls', 'https', 'http2', 'zlib']) expect(loaded).not.toContain(name);
});

it('collects what its start leaves, with the options of its image', async () => {
  await using api = start({}, [...nodeOptionsOf('control-api'), '--trace-gc']);
  await originOf(api);
  const [line = ''] = await api.line(/Mark-Compact \(reduce\) .* MB, pooled/);
  const [, before, after] = / ([\d.]+) \([\d.]+\) -> ([\d.]+) /.exec(line) ?? [];
  expect(Number(after)).toBeLessThan(Number(before));
});

it('leaves out what a library has for a case that never comes', () => {
  const directory = dirname(bundled.main);
  const files = readdirSync(directory).filter((file) => file.endsWith('.js'));
  const code = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n');
  for (const name of ['duplexify', '@opentelemetry/api', './lib/pushgateway'])
    expect(code).toContain(`${name} is not in this bundle`);
  // A text of the streams that it would bring along.
  expect(code).not.toContain('stream.unshift() after end event');
});

it('says whose code it contains', () => {
  const licences = readFileSync(join(dirname(bundled.main), 'THIRD-PARTY-LICENCES.txt'), 'utf8');
  for (const name of ['fastify', 'pino', 'ws', 'zod', '@fastify/swagger-ui'])
    expect(licences).toMatch(new RegExp(`^${name} \\d\\S* \\(\\S+\\)\\n\\n`, 'm'));
});

it('has a bill of it, with what the page is made of', () => {
  const bill: Bill = JSON.parse(readFileSync(join(dirname(bundled.main), '..', billName), 'utf8'));
  expect(bill.metadata.component.name).toBe('@steward/control-api');
  const names = bill.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'standardwebhooks', 'preact', 'lean-qr']));
  expect(names.filter((name) => name.startsWith('@steward/'))).toEqual([]);
});

it('has no path of the machine that made it', () => {
  const directory = dirname(bundled.main);
  const root = new URL('../../', import.meta.url).pathname;
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|map|txt)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => readFileSync(join(directory, file), 'utf8').includes(root))).toEqual([]);
});

it('has no character beyond ASCII in its code: V8 would keep two bytes for each of that file', () => {
  const programs = readdirSync(dirname(bundled.main)).filter((name) => name.endsWith('.js'));
  const isAscii = (name: string) =>
    /^[\0-\x7f]*$/.test(readFileSync(join(dirname(bundled.main), name), 'utf8'));
  expect(programs.length).toBeGreaterThan(4);
  expect(programs.filter((name) => !isAscii(name))).toEqual([]);
});
