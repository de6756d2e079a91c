import { expect, it } from 'vitest';
import { openPage } from './browser.ts';
import { tellOfPages } from './failed-pages.ts';

it('says of a test that failed what its page shows, how what the page asked for ended, and what has not', async () => {
  const error = { message: 'It did not come' };
  {
    await using page = await openPage();
    await page.route('**/refused', (route) => route.abort());
    await page.route('**/there', (route) =>
      route.fulfill({ status: 418, body: '<p>One</p><p>Two</p>', contentType: 'text/html' }),
    );
    await page.goto('http://127.0.0.1/there');
    await page.route('**/never', () => {});
    const asked = page.waitForRequest('**/never');
    await page.evaluate("void fetch('/never', { method: 'POST' })");
    await asked;
    const refused = page.waitForEvent('requestfailed');
    await page.evaluate("fetch('/refused').catch(() => {})");
    await refused;
    // Told once, however often it comes in a row.
    for (let time = 0; time < 3; time += 1) await page.evaluate("fetch('/there').then((got) => got.text())");
    await tellOfPages(error);
  }
  const said = error.message.split('\n');
  expect(said[0]).toBe('It did not come');
  expect(said.slice(-9)).toEqual([
    'http://127.0.0.1/there shows:',
    'One',
    'Two',
    'It was answered:',
    '418 http://127.0.0.1/there',
    'net::ERR_FAILED http://127.0.0.1/refused',
    '418 http://127.0.0.1/there',
    'It waits for:',
    'POST http://127.0.0.1/never',
  ]);
  const later = { message: 'Nor that' };
  await tellOfPages(later);
  expect(later.message).not.toContain('/there');
});
