import { openBrowser, openPage } from '@steward/testing/browser';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPrefixProxy } from './prefix-proxy.ts';

const state = temporaryDirectory();
let api: Program;
let origin: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;

beforeAll(async () => {
  api = new Program('packages/control-api/src/main.ts', [], {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    API_KEY: 'k',
    STATE_DIR: state.path,
    PLATFORM_AUTH_URL: '',
    SETTINGS_PATH: `${state.path}/server-settings.json`,
  });
  [, origin = ''] = await api.line(/listening on (http:\S+?)["\s]/);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await api[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

/** Opens the page, sends a request from it, and tells what it asked for outside `base`, or complained about. */
async function usePage(
  address: string,
  base: string,
): Promise<{ strangers: string[]; complaints: string[] }> {
  await using page = await openPage(browser);
  const strangers: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${base}/`) && !url.startsWith('data:')) strangers.push(url);
  });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(address);
  await page.getByText('Whether the server is alive').click();
  expect(await page.getByRole('heading', { name: /Steward control API/ }).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Authorize' }).isVisible()).toBe(true);

  const answered = page.waitForResponse(`${base}/health`);
  await page.getByRole('button', { name: 'Execute' }).click();
  expect((await answered).status()).toBe(200);
  await page.getByText('x-request-id').first().waitFor();
  return { strangers, complaints };
}

it('shows the documentation in a browser without asking any other server', async () => {
  expect(await usePage(`${origin}/docs/`, origin)).toEqual({ strangers: [], complaints: [] });
});

it('shows ids in answers with every digit', async () => {
  await using page = await openPage(browser);
  // Whose id it is does not matter to the page.
  const body = '{"players":[{"id":620826087702429092,"idStr":"620826087702429092"}]}';
  await page.route(`${origin}/players`, (route) => route.fulfill({ contentType: 'application/json', body }));
  await page.goto(`${origin}/docs/`);
  await page.getByText('Who is connected').click();
  await page.getByRole('button', { name: 'Execute' }).click();
  const shown = page.locator('.live-responses-table .response-col_description pre').first();
  await shown.getByText('"idStr"').waitFor();
  expect(await shown.textContent()).toContain('"id": 620826087702429092,');
});

it('shows ids in the examples of answers and of schemas with every digit', async () => {
  await using page = await openPage(browser);
  await page.goto(`${origin}/docs/`);
  await page.getByText('Who is connected').click();
  const answer = page.locator('.model-example').first();
  await answer.getByText('"idStr"').waitFor();
  expect(await answer.textContent()).toContain('"id": 620826087702429092,');
  await answer.getByText('Schema', { exact: true }).click();
  await answer.getByText('Expand all').first().click();
  await answer.getByText('Examples').first().waitFor();
  // The first of a list, and a number: a text has quotation marks.
  expect(await answer.textContent()).toContain('#0620826087702429092');
  expect(await page.locator('body').textContent()).not.toContain('620826087702429000');
});

it('works below a path that a proxy takes away', async () => {
  await using proxy = await startPrefixProxy(origin, '/panel/farm');
  const base = `${proxy.origin}/panel/farm`;
  expect(await usePage(`${base}/docs`, base)).toEqual({ strangers: [], complaints: [] });
});
