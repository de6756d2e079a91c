import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshDashboard } from '@steward/dashboard/build';
import { openBrowser } from '@steward/testing/browser';
import { freePort } from '@steward/testing/free-port';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { Program } from '@steward/testing/program';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { type Comparison, interleave } from '../comparison.ts';

const rounds = 11;
const throttle = 4;
const players = 200;

interface Opened {
  readonly readyMs: number;
  readonly longestTaskMs: number;
}

/** The page of a farm with many players, opened in a browser that is four times slower, beside a page that has nothing but Preact. */
export async function openedPage(): Promise<readonly Comparison[]> {
  await freshDashboard();
  const directory = mkdtempSync(join(tmpdir(), 'steward-bench-page-'));
  const empty = await serveEmpty(join(directory, 'empty'));
  const [API_PORT, DASHBOARD_PORT] = [String(await freePort()), String(await freePort())];
  const program = new Program('packages/control-api/src/main.ts', [], {
    ...{ API_HOST: '127.0.0.1', API_PORT, DASHBOARD_PORT, PLATFORM_AUTH_URL: '' },
    ...{ STATE_DIR: directory, SETTINGS_PATH: join(directory, 'server-settings.json') },
  });
  await program.line(/the page is listening on http/);
  const game = new ScriptedGame();
  game.state.players = Array.from({ length: players }, (_, index) => ({
    id: String(1_000 + index),
    name: `Player ${index}`,
    connectionId: `L_${index}`,
    isAdmin: false,
  }));
  await game.connect(overSocket(connect(join(directory, 'game.sock'))));
  const browser = await openBrowser();
  const origin = `http://127.0.0.1:${DASHBOARD_PORT}/`;
  // Once, so that neither is the first that this browser shows.
  await opened(browser, empty.origin);
  await opened(browser, origin);
  const { ours, limit } = await interleave(rounds, {
    ours: () => opened(browser, origin),
    limit: () => opened(browser, empty.origin),
  });
  await browser.close();
  empty.close();
  program.kill('SIGTERM');
  await program.exited;
  rmSync(directory, { recursive: true, force: true });
  const compare = (figure: string, value: (one: Opened) => number, atMost: number): Comparison => ({
    figure: `the page, ${players} players, CPU ${throttle} times slower: ${figure}`,
    unit: 'ms',
    ours: ours.map(value),
    limit: limit.map(value),
    beside: 'empty',
    atMost,
  });
  return [
    compare('ready', ({ readyMs }) => readyMs, 2.5),
    compare('longest task', ({ longestTaskMs }) => longestTaskMs, 3),
  ];
}

/** Ready once it has its heading and waits for nothing more. */
const notesReady = `
  const look = () => {
    if (globalThis.readyAt !== undefined || document.querySelector('main h1') === null) return;
    if (document.querySelector('[aria-busy]') === null) globalThis.readyAt = performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
`;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** In a window of its own, which knows nothing of the one before. */
async function opened(browser: Browser, origin: string): Promise<Opened> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(notesReady);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await page.goto(origin);
  await page.waitForFunction('globalThis.readyAt !== undefined');
  const trace = await browser.stopTracing();
  const readyMs = await page.evaluate<number>('globalThis.readyAt');
  await context.close();
  return { readyMs, longestTaskMs: longestTask(trace) };
}

/** Of the threads that draw pages, and run what they bring along. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const drawing = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && drawing.has(threadOf(event)),
  );
  return Math.max(...tasks.map(({ dur = 0 }) => dur / 1_000));
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

async function serveEmpty(directory: string): Promise<{ readonly origin: string; close(): void }> {
  await build({
    root: fileURLToPath(new URL('./empty/', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    build: { outDir: directory, target: 'es2022', emptyOutDir: true, modulePreload: { polyfill: false } },
  });
  const server = createServer(({ url = '/' }, response) => {
    const file = url === '/' ? '/index.html' : url;
    const type = types[extname(file)];
    if (type === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': type }).end(readFileSync(join(directory, file)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
