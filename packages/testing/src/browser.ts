import { chromium, type Page } from 'playwright-core';

const executable = '/usr/bin/chromium';

// Without the background traffic of its own that a person's browser has.
const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page in Debian's Chromium, without a window. */
export async function openPage(): Promise<Page & AsyncDisposable> {
  const root = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: executable,
    args: [...quiet, ...(root ? ['--no-sandbox'] : [])],
  });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  return Object.assign(page, { [Symbol.asyncDispose]: () => browser.close() });
}
