import type { Page, Request } from 'playwright-core';
import { afterEach, type TestError } from 'vitest';

/** So many of the last answers are told. */
const longestTold = 20;

/** The pages that are open, how what they asked for ended, and what has not ended. */
const open = new Map<Page, { readonly told: string[]; readonly asked: Set<Request> }>();

/** From now on a test that fails says what this page shows: whoever reads of it later cannot look. */
export function lookAtWhenFailed(page: Page): void {
  const told: string[] = [];
  const asked = new Set<Request>();
  const tell = (text: string) => {
    // A page asks for its status again and again: that would leave no room for what else it asked for.
    if (told.at(-1) !== text) told.push(text);
    if (told.length > longestTold) told.shift();
  };
  open.set(page, { told, asked });
  page.on('close', () => open.delete(page));
  page.on('request', (request) => asked.add(request));
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('response', (response) => tell(`${response.status()} ${response.url()}`));
  page.on('requestfailed', (request) => {
    asked.delete(request);
    tell(`${request.failure()?.errorText} ${request.url()}`);
  });
  page.on('pageerror', (error) => tell(String(error)));
}

/** For each file of tests. */
export function tellOfPagesWhenFailed(): void {
  afterEach(async ({ task: { result } }) => {
    const [error] = result?.state === 'fail' ? (result.errors ?? []) : [];
    if (error !== undefined) await tellOfPages(error);
  });
}

/** Puts into the message of an error what each open page shows. */
export async function tellOfPages(error: Pick<TestError, 'message'>): Promise<void> {
  for (const [page, { told, asked }] of open) {
    const shown = await page.evaluate<string>('document.body.innerText').catch(String);
    const lines = shown.split('\n').filter((line) => line.trim() !== '');
    const waiting = [...asked].map((request) => `${request.method()} ${request.url()}`);
    error.message = [
      ...[error.message, `${page.url()} shows:`, ...lines],
      ...['It was answered:', ...told],
      ...['It waits for:', ...waiting],
    ].join('\n');
  }
}
