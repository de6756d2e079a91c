import type { Page } from 'playwright-core';
import { afterEach, type TestError } from 'vitest';

/** So many of the last answers are told. */
const longestTold = 20;

/** The pages that are open, and how what they asked for ended. */
const open = new Map<Page, string[]>();

/** From now on a test that fails says what this page shows: whoever reads of it later cannot look. */
export function lookAtWhenFailed(page: Page): void {
  const told: string[] = [];
  const tell = (text: string) => {
    told.push(text);
    if (told.length > longestTold) told.shift();
  };
  open.set(page, told);
  page.on('close', () => open.delete(page));
  page.on('response', (response) => tell(`${response.status()} ${response.url()}`));
  page.on('requestfailed', (request) => tell(`${request.failure()?.errorText} ${request.url()}`));
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
  for (const [page, told] of open) {
    const shown = await page.evaluate<string>('document.body.innerText').catch(String);
    const lines = shown.split('\n').filter((line) => line.trim() !== '');
    error.message = [error.message, `${page.url()} shows:`, ...lines, 'It was answered:', ...told].join('\n');
  }
}
