import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LongestTask, longestTask } from '@steward/testing/browser-tasks';
import type { Browser } from 'playwright-core';
import { build } from 'vite';

export interface Opened {
  readonly readyMs: number;
  readonly longest: LongestTask;
}

/** Ready once it has its heading and waits for nothing more. */
const notesReady = `
  globalThis.ready = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('main h1') === null) return;
      if (document.querySelector('[aria-busy]') === null) resolve(performance.now());
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
  });
`;

/**
 * In a window of its own, which knows nothing of the one before; on request with a processor that is `slower` times as slow. For that
 * Chromium keeps the processor busy doing nothing: a page costs several times as much, and its figures vary twice as much.
 */
export async function opened(browser: Browser, origin: string, slower?: number): Promise<Opened> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(notesReady);
  if (slower !== undefined) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  }
  let readyMs = Number.NaN;
  const longest = await longestTask(page, async () => {
    await page.goto(origin);
    readyMs = await page.evaluate<number>('globalThis.ready');
  });
  await context.close();
  return { readyMs, longest };
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** A page that has nothing but Preact, built into the directory. */
export async function serveEmpty(
  directory: string,
): Promise<{ readonly origin: string; readonly close: () => void }> {
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
