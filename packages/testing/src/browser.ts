import { type Browser, chromium, type Page } from 'playwright-core';

const executable = '/usr/bin/chromium-headless-shell';

// Without the background traffic of its own that a person's browser has.
const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's Chromium without a window, and without what only a window needs: half the work for the processor. */
export function openBrowser(): Promise<Browser> {
  const root = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: executable,
    args: [...quiet, ...(root ? ['--no-sandbox'] : [])],
  });
}

/** A page that shares nothing with any other but the browser, where one is given; one of its own goes with it. */
export async function openPage(given?: Browser): Promise<Page & AsyncDisposable> {
  const browser = given ?? (await openBrowser());
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  return Object.assign(page, {
    [Symbol.asyncDispose]: () => (given === undefined ? browser.close() : page.close()),
  });
}
