import jsQr from 'jsqr';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage, testKey } from './stage/page-stage.ts';
import { heading, serveNewer, standsLive } from './stage/visitors.ts';

let stage: PageStage;
/** Whose server lets everybody in. */
let open: PageStage;
beforeAll(async () => {
  stage = await PageStage.open({ key: testKey });
  open = await PageStage.open();
});
afterAll(() => Promise.all([stage, open].map((each) => each[Symbol.asyncDispose]())));

const fragment = `#key=${encodeURIComponent(testKey)}`;

it('takes the key out of the address before anything is asked for, and sends it as a header alone', async () => {
  const page = await stage.visit({ path: '/page' });
  await page.locator('input[type=password]').waitFor();
  await page.close();
  const context = page.context();
  const asked: { url: string; referrer: string | undefined; key: string | undefined }[] = [];
  context.on('request', async (request) => {
    const { referer, authorization } = await request.allHeaders();
    asked.push({ url: request.url(), referrer: referer, key: authorization });
  });
  const opened = await stage.visit({ path: `/page${fragment}`, beside: context });
  await opened.getByText('the owner, with API_KEY').waitFor();
  expect(opened.url()).toBe(`${stage.origin}/page`);
  expect(await opened.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  expect(asked.some(({ key }) => key === `Bearer ${testKey}`)).toBe(true);
  for (const { url, referrer } of asked) {
    expect(url.replace(fragment, '')).not.toMatch(/k3y/);
    expect(referrer ?? '').toBe('');
  }
  expect(stage.log).not.toContain('k3y-of');
  expect(stage.complaints).toEqual([]);
  await context.close();
});

it('finds out by one request that a key is wrong: the server counts them', async () => {
  const page = await stage.visit({ path: '/page', isSameTab: true });
  await page.locator('input[type=password]').waitFor();
  const denied: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401) denied.push(response.url());
  });
  await page.goto(`${stage.origin}/#key=another-key`);
  await page.getByText('This key is not right').waitFor();
  expect(denied).toEqual([`${stage.origin}/api/whoami`]);
});

it('asks for what is seen first with the question who one is where there is no key, and shows it to whom the server lets in', async () => {
  const page = await open.visit({ path: '/page' });
  const told = Promise.withResolvers<void>();
  await page.route('**/api/whoami', async (route) => {
    await told.promise;
    await route.continue();
  });
  const answers = ['status', 'players'].map((read) => page.waitForResponse(`**/api/${read}`));
  await page.goto(open.origin);
  for (const answer of await Promise.all(answers)) await answer.finished();
  await page.getByRole('heading', { name: 'Loading' }).waitFor();
  expect(await page.locator('main').textContent()).not.toContain('Meadow');
  told.resolve();
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
  await page.context().close();
});

it('is drawn with the farm where that is near, asks for its key at once, and says only after half a second that it is loading', async () => {
  const page = await open.visit({ path: '/page' });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  const title = page.locator('main h1');
  const drawn = async () => {
    let ms = 0;
    await expect
      .poll(async () => {
        await page.clock.runFor(1);
        ms += 1;
        return await title.count();
      })
      .toBe(1);
    return ms;
  };
  await page.goto(open.origin);
  expect(await drawn()).toBeLessThan(500);
  expect(await title.textContent()).toBe('Meadow');
  await page.goto(stage.origin);
  expect(await drawn()).toBeLessThan(500);
  expect(await title.textContent()).toBe('This farm needs a key');
  await page.route('**/api/whoami', () => {});
  await page.goto(open.origin);
  await page.clock.runFor(499);
  expect(await title.count()).toBe(0);
  await page.clock.runFor(1);
  expect(await title.textContent()).toBe('Loading');
  await page.context().close();
});

it('asks for a key, says that one is wrong, and opens the farm with the right one', async () => {
  const page = await stage.visit();
  const field = page.locator('input[type=password]');
  await field.waitFor();
  expect(await heading(page)).toBe('This farm needs a key');
  await page.getByRole('button', { name: 'Open the farm' }).click();
  await page.getByText('Enter the key first.').waitFor();
  await field.fill('schlüssel');
  await page.keyboard.press('Enter');
  await page.getByText('A key contains only plain letters').waitFor();
  // A blank within is one of its signs, as it may be one of API_KEY’s.
  await field.fill('another key');
  await page.keyboard.press('Enter');
  await page.getByText('This key is not right').waitFor();
  await page.locator('input[type=password]').fill(testKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
  // For the tab alone, until somebody says otherwise.
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
  const other = await stage.visit({ beside: page.context() });
  await other.locator('input[type=password]').fill(testKey);
  await other.getByRole('checkbox').check();
  await other.keyboard.press('Enter');
  await other.getByRole('heading', { name: 'Meadow' }).waitFor();
  const third = await stage.visit({ beside: page.context() });
  await third.getByRole('heading', { name: 'Meadow' }).waitFor();
  await page.context().close();
});

it('uses the key of a link for the tab alone, and forgets none for it that is kept on the device', async () => {
  const owner = { authorization: `Bearer ${testKey}` };
  const make = await fetch(`${stage.origin}/api/keys?name=reader&scopes=read`, {
    method: 'POST',
    headers: owner,
  });
  const { secret } = (await make.json()) as { secret: string };
  const page = await stage.visit({ path: '/page' });
  await page.locator('input[type=password]').fill(testKey);
  await page.getByRole('checkbox').check();
  await page.keyboard.press('Enter');
  await page.getByText('It is kept on this device.').waitFor();
  const path = `/page#${new URLSearchParams({ key: secret })}`;
  const linked = await stage.visit({ path, beside: page.context() });
  await linked.getByText('reader', { exact: true }).waitFor();
  await linked.getByText('It is kept for this tab').waitFor();
  await linked.reload();
  await linked.getByText('reader', { exact: true }).waitFor();
  const later = await stage.visit({ path: '/page', beside: page.context() });
  await later.getByText('the owner, with API_KEY').waitFor();
  expect(await later.getByText('It is kept on this device.').count()).toBe(1);
  await linked.getByRole('button', { name: 'Forget the key' }).click();
  await linked.getByText('the owner, with API_KEY').waitFor();
  await later.reload();
  await later.getByText('the owner, with API_KEY').waitFor();
  await later.getByRole('button', { name: 'Forget the key' }).click();
  await later.locator('input[type=password]').waitFor();
  await later.reload();
  await later.locator('input[type=password]').waitFor();
  await page.context().close();
});

it('offers what the key is good for, and says so when it ends', async () => {
  const make = await fetch(`${stage.origin}/api/keys?name=chatter&scopes=chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}` },
  });
  const { secret, key } = (await make.json()) as { secret: string; key: { id: string } };
  const page = await stage.visit({ path: `/#${new URLSearchParams({ key: secret })}`, isSameTab: true });
  await page.getByText('Your key does not allow this').waitFor();
  const offered = await page.getByRole('navigation').getByRole('link').allInnerTexts();
  expect(offered).not.toContain('The farm now');
  expect(offered).toContain('This page');
  await fetch(`${stage.origin}/api/keys?id=${key.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${testKey}` },
  });
  await page.getByText('This key has ended').waitFor();
  await page.locator('input[type=password]').fill(testKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
});

it('says that there is a newer page also where a key is entered again, until the server says otherwise', async () => {
  const page = await stage.visit({ path: `/page${fragment}`, isSameTab: true });
  await page.getByRole('banner').getByText('Live').waitFor();
  const enterAgain = async () => {
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.locator('input[type=password]').fill(testKey);
    await page.keyboard.press('Enter');
    await page.getByText('the owner, with API_KEY').waitFor();
  };
  await serveNewer(page, stage.origin);
  await enterAgain();
  const notice = page.getByText('The server is now version 99.0.0');
  await notice.waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.route(`${stage.origin}/`, (route) => route.abort());
  const isLost = page.waitForEvent('requestfailed', (request) => request.url() === `${stage.origin}/`);
  await Promise.all([isLost, enterAgain()]);
  expect(await notice.count()).toBe(1);
  await page.unrouteAll({ behavior: 'wait' });
  await enterAgain();
  await notice.waitFor({ state: 'detached' });
});

it('says that there is a newer page also where the key is entered long after the page was opened', async () => {
  const page = await stage.visit({ path: '/icon.svg' });
  await page.clock.install();
  await page.goto(`${stage.origin}/page`);
  const field = page.locator('input[type=password]');
  await field.waitFor();
  await serveNewer(page, stage.origin);
  await page.clock.fastForward(120_000);
  await field.fill(testKey);
  await page.keyboard.press('Enter');
  await page.getByText('The server is now version 99.0.0').waitFor();
  expect(await page.getByRole('button', { name: 'Reload the page' }).count()).toBe(1);
  await page.context().close();
});

it('takes a key as it stands in a link that was made by hand', async () => {
  const page = await stage.visit({ path: `/page#key=${testKey}`, isSameTab: true });
  await page.getByText('the owner, with API_KEY').waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem(`steward key ${location.origin}`))).toBe(testKey);
});

it('finds out by itself whether a key is good again, whatever another tab was told before', async () => {
  const first = await stage.visit({ path: `/${fragment}` });
  await first.getByRole('banner').getByText('Live').waitFor();
  const context = first.context();
  const second = await stage.visit({ path: `/${fragment}`, beside: context });
  await second.getByRole('banner').getByText('Live').waitFor();
  await stage.stop();
  await stage.start({ API_KEY: 'typed-wrong' });
  for (const page of [first, second]) await page.getByText('This key is not right').waitFor();
  await stage.stop();
  await stage.start({ API_KEY: testKey });
  await second.reload();
  await second.getByRole('heading', { name: 'Meadow' }).waitFor();
  // What the first tab has to say comes soon after.
  await second.getByRole('banner').getByText('Live').waitFor();
  expect(await second.locator('input[type=password]').count()).toBe(0);
  await context.close();
});

it('asks again and again with a key that hears of nothing, so that it knows when the server or the key is gone', async () => {
  const headers = { authorization: `Bearer ${testKey}` };
  const make = await fetch(`${stage.origin}/api/keys?name=m&scopes=moderate`, { method: 'POST', headers });
  const { secret, key } = (await make.json()) as { secret: string; key: { id: string } };
  const page = await stage.visit({ path: '/icon.svg' });
  await page.clock.install();
  await page.goto(`${stage.origin}/players#key=${secret}`);
  await standsLive(page);
  const bar = page.getByRole('banner');
  await stage.stop();
  await page.clock.fastForward(20_000);
  await page.getByRole('alert').getByText('You see the last known state').waitFor();
  await stage.start();
  await page.clock.fastForward(10_000);
  await bar.getByText('Live').waitFor();
  await fetch(`${stage.origin}/api/keys?id=${key.id}`, { method: 'DELETE', headers });
  await page.clock.fastForward(20_000);
  await page.getByText('This key has ended').waitFor();
  expect(await bar.getByText('Live').count()).toBe(0);
  await page.context().close();
});

it('keeps what was typed into the settings where the key ends, and another is entered', async () => {
  const owner = { authorization: `Bearer ${testKey}` };
  const query = 'name=second&scopes=admin';
  const make = await fetch(`${stage.origin}/api/keys?${query}`, { method: 'POST', headers: owner });
  const { secret, key } = (await make.json()) as { secret: string; key: { id: string } };
  const page = await stage.visit({
    path: `/settings#${new URLSearchParams({ key: secret })}`,
    isSameTab: true,
  });
  await page.getByLabel('Maximum players').fill('7');
  await page.getByText('1 change').waitFor();
  await fetch(`${stage.origin}/api/keys?id=${key.id}`, { method: 'DELETE', headers: owner });
  await page.getByText('This key has ended').waitFor();
  await page.locator('input[type=password]').fill(testKey);
  await page.keyboard.press('Enter');
  await page.getByText('1 change').waitFor();
  expect(await page.getByLabel('Maximum players').inputValue()).toBe('7');
});

it('sends of what was typed what the key that was entered last may change, and keeps the rest for one that may', async () => {
  const authorization = { authorization: `Bearer ${testKey}` };
  const made = async (scopes: string) => {
    const query = new URLSearchParams({ name: `for settings, ${scopes}`, scopes });
    const make = await fetch(`${stage.origin}/api/keys?${query}`, { method: 'POST', headers: authorization });
    return (await make.json()) as { secret: string; key: { id: string } };
  };
  const [admin, operator] = [await made('admin'), await made('read,operate')];
  const page = await stage.visit({
    path: `/settings#${new URLSearchParams({ key: admin.secret })}`,
    isSameTab: true,
  });
  const enterAfter = async ({ key: { id } }: typeof admin, secret: string) => {
    await fetch(`${stage.origin}/api/keys?id=${id}`, { method: 'DELETE', headers: authorization });
    await page.getByText('This key has ended').waitFor();
    await page.locator('input[type=password]').fill(secret);
    await page.keyboard.press('Enter');
  };
  const oneChange = page.getByText('1 change', { exact: true });
  const admins = page.getByLabel('Admins', { exact: true });
  await admins.fill('76561198000000009');
  await oneChange.waitFor();
  await enterAfter(admin, operator.secret);
  await page.getByLabel('Maximum players').fill('8');
  await oneChange.waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nothing is changed.').waitFor();
  await enterAfter(operator, testKey);
  await oneChange.waitFor();
  expect(await admins.inputValue()).toBe('76561198000000009');
  expect(await page.getByLabel('Maximum players').inputValue()).toBe('8');
});

it('puts the key into the QR code only where somebody says so', async () => {
  const page = await stage.visit({ path: `/${fragment}`, isSameTab: true });
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
  await page.keyboard.press('End');
  const code = page.getByRole('img', { name: /QR code/ });
  await code.waitFor();
  expect(await code.getAttribute('aria-label')).toBe(`QR code of ${stage.origin}/`);
  expect(await seenByCamera(code)).toBe(`${stage.origin}/`);
  await page.getByLabel('Include my key in the code').check();
  const withKey = page.getByRole('img', { name: 'QR code of this address with your key' });
  await withKey.waitFor();
  expect(await seenByCamera(withKey)).toBe(`${stage.origin}/${fragment}`);
});

/** Dark and light dots of a picture, each some pixels wide, for who reads codes. */
async function seenByCamera(code: Locator): Promise<string | undefined> {
  const dotPx = 4;
  const [, , across = 0] = ((await code.getAttribute('viewBox')) ?? '').split(' ').map(Number);
  const side = across * dotPx;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const dots = (await code.locator('path').getAttribute('d')) ?? '';
  for (const [, x, y] of dots.matchAll(/M(\d+) (\d+)/g))
    for (let row = 0; row < dotPx; row += 1) {
      const start = ((Number(y) * dotPx + row) * side + Number(x) * dotPx) * 4;
      for (let at = start; at < start + dotPx * 4; at += 4) pixels.fill(0, at, at + 3);
    }
  return jsQr.default(pixels, side, side)?.data;
}
