import { openPage } from '@steward/testing/browser';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPrefixProxy } from './prefix-proxy.ts';

/** On a machine that does much else it is drawn after half a minute. */
const drawnWithinMs = 90_000;

type Page = Awaited<ReturnType<typeof openPage>>;

/** The documentation in a window, with what it asked for outside of its place, and what it complained about. */
interface Docs {
  readonly page: Page;
  readonly strangers: readonly string[];
  readonly complaints: readonly string[];
}

const state = temporaryDirectory();
let api: Program;
let origin: string;
/** It takes seconds to be shown, so that most tests look at the same. */
let docs: Docs;

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
  docs = await openDocs(`${origin}/docs/`, origin);
  await operation('Who is connected').getByText('Who is connected').click();
});

afterAll(async () => {
  await docs.page[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

async function openDocs(address: string, base: string, prepare?: (page: Page) => Promise<unknown>) {
  const page = await openPage();
  await prepare?.(page);
  page.setDefaultTimeout(drawnWithinMs);
  const strangers: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${base}/`) && !url.startsWith('data:')) strangers.push(url);
  });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  return { page, strangers, complaints } satisfies Docs;
}

/** Of all that is documented the one operation that `use` looks at: the page takes seconds to draw the others. */
async function documentsHealthAlone(page: Page): Promise<void> {
  await page.route('**/docs/json', async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as { readonly paths: Readonly<Record<string, object>> };
    const { '/health': health } = document.paths;
    await route.fulfill({ response, json: { ...document, paths: { '/health': health } } });
  });
}

function operation(summary: string, { page }: Pick<Docs, 'page'> = docs) {
  return page.locator('.opblock').filter({ hasText: summary });
}

/** Sends a request from the page. */
async function use({ page }: Docs, base: string): Promise<void> {
  const health = operation('Whether the server is alive', { page });
  await health.getByText('Whether the server is alive').click();
  expect(await page.getByRole('heading', { name: /Steward control API/ }).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Authorize' }).isVisible()).toBe(true);

  const answered = page.waitForResponse(`${base}/health`);
  await health.getByRole('button', { name: 'Execute' }).click();
  expect((await answered).status()).toBe(200);
  await health.getByText('x-request-id').first().waitFor();
}

it('shows the documentation in a browser without asking any other server', async () => {
  await use(docs, origin);
  expect(docs).toMatchObject({ strangers: [], complaints: [] });
});

it('shows ids in answers with every digit', async () => {
  // Whose id it is does not matter to the page.
  const body = '{"players":[{"id":620826087702429092,"idStr":"620826087702429092"}]}';
  await docs.page.route(`${origin}/players`, (route) =>
    route.fulfill({ contentType: 'application/json', body }),
  );
  const players = operation('Who is connected');
  await players.getByRole('button', { name: 'Execute' }).click();
  const shown = players.locator('.live-responses-table .response-col_description pre').first();
  await shown.getByText('"idStr"').waitFor();
  expect(await shown.textContent()).toContain('"id": 620826087702429092,');
});

it('shows ids in the examples of answers and of schemas with every digit', async () => {
  const answer = operation('Who is connected').locator('.model-example').first();
  await answer.getByText('"idStr"').waitFor();
  expect(await answer.textContent()).toContain('"id": 620826087702429092,');
  await answer.getByText('Schema', { exact: true }).click();
  await answer.getByText('Expand all').first().click();
  await answer.getByText('Examples').first().waitFor();
  // The first of a list, and a number: a text has quotation marks.
  expect(await answer.textContent()).toContain('#0620826087702429092');
  expect(await docs.page.locator('body').textContent()).not.toContain('620826087702429000');
});

it('works below a path that a proxy takes away', async () => {
  await using proxy = await startPrefixProxy(origin, '/panel/farm');
  const base = `${proxy.origin}/panel/farm`;
  const there = await openDocs(`${base}/docs`, base, documentsHealthAlone);
  await using _ = there.page;
  await use(there, base);
  expect(there).toMatchObject({ strangers: [], complaints: [] });
});
