import { type Browser, chromium, type Page } from 'playwright-core';
import { lookAtWhenFailed } from './failed-pages.ts';

/** Chromium as people have it; what it shows takes longer than in the shell, on every page alike. */
export const wholeBrowser = '/usr/bin/chromium';
/** It lacks what only a window needs, which is half the work for the processor. */
const headlessShell = '/usr/bin/chromium-headless-shell';

// Without the background traffic of its own that a person's browser has.
const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Of whatever a test waits for in a page: more than by itself, for a busy machine, and less than a test has, which then says what did not come. */
export const pagePatienceMs = 100_000;

/** Debian's Chromium, without a window. */
export function openBrowser(executablePath = headlessShell): Promise<Browser> {
  const root = process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    args: [...quiet, ...(root ? ['--no-sandbox'] : [])],
  });
}

/** Of the tests of one process, which run file after file: it goes with the process. */
let shared: Browser | undefined;

export async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await openBrowser();
  return shared;
}

/** A page of the tests' browser that shares nothing with any other but the browser. */
export async function openPage(): Promise<Page & AsyncDisposable> {
  const browser = await sharedBrowser();
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  page.setDefaultTimeout(pagePatienceMs);
  lookAtWhenFailed(page);
  return Object.assign(page, { [Symbol.asyncDispose]: () => page.close() });
}
