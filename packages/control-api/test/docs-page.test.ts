import { openPage } from '@steward/testing/browser';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

it('shows the documentation in a browser without asking any other server', async () => {
  using state = temporaryDirectory();
  await using api = new Program('packages/control-api/dist/main.js', [], {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    API_KEY: 'k',
    STATE_DIR: state.path,
    PLATFORM_AUTH_URL: '',
    SETTINGS_PATH: `${state.path}/server-settings.json`,
  });
  const [, origin = ''] = await api.line(/listening on (http:\S+?)["\s]/);
  await using page = await openPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(`${origin}/docs`);
  await page.getByText('Whether the server is alive').waitFor();

  expect(await page.getByRole('heading', { name: /Steward control API/ }).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Authorize' }).isVisible()).toBe(true);
  expect(requested.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
  expect(complaints).toEqual([]);

  await page.getByText('Whether the server is alive').click();
  const answered = page.waitForResponse(`${origin}/health`);
  await page.getByRole('button', { name: 'Execute' }).click();
  expect((await answered).status()).toBe(200);
  await page.getByText('x-request-id').first().waitFor();
});
