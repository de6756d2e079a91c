import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage, testKey } from './stage/page-stage.ts';
import { answerTo, barriers, barriersAnywhere, sizes } from './stage/visitors.ts';

/** A farm without a key, and one with another key on another server. */
let home: PageStage;
let other: PageStage;
beforeAll(async () => {
  home = await PageStage.open();
  other = await PageStage.open({ key: testKey });
  home.game.state.status.farmName = 'At home';
  home.game.tell();
  other.game.state.status.farmName = 'Far away';
  other.game.tell();
});
afterAll(async () => {
  expect([...home.complaints, ...other.complaints]).toEqual([]);
  await Promise.all([home, other].map((stage) => stage[Symbol.asyncDispose]()));
});

async function again(stage: PageStage, more: NodeJS.ProcessEnv): Promise<void> {
  await stage.stop();
  await stage.start(more);
}

const cards = (page: Page) => page.locator('.farm');

it('offers one farm without DASHBOARD_FARMS, and names it; with it, each that it names by its own key', async () => {
  const page = await home.visit({ path: '/farms' });
  await page.getByRole('region', { name: 'At home' }).getByText('0 of').waitFor();
  expect(await cards(page).count()).toBe(1);
  await page.getByText('DASHBOARD_FARMS').waitFor();
  expect(await barriers(page)).toEqual([]);

  const { host } = new URL(other.origin);
  await again(home, { DASHBOARD_FARMS: other.origin });
  await page.goto(`${home.origin}/farms`);
  // Where the other does not name this page the browser lets nothing through.
  const far = page.getByRole('region', { name: host });
  await far.getByText(`API_ALLOWED_ORIGINS=${home.origin}`).waitFor();
  expect(await barriers(page)).toEqual([]);

  await again(other, { API_ALLOWED_ORIGINS: home.origin });
  await far.getByText('It needs a key').waitFor();
  expect(await barriersAnywhere(page)).toEqual([]);
  await far.getByRole('button', { name: 'Enter its key' }).click();
  await page.getByText(`You are viewing ${host}`).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['authorization'] !== undefined) asked.push(new URL(request.url()).origin);
  });
  await page.locator('input[type=password]').fill(testKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Far away' }).waitFor();
  // It is the one that is looked at until somebody goes back.
  await page.reload();
  await page.getByText(`You are viewing ${host}`).waitFor();
  await page.getByRole('heading', { name: 'Far away' }).waitFor();
  // The code opens the farm of this server, which no key of another one is for.
  await page.keyboard.press('End');
  await page.getByRole('img', { name: `QR code of ${home.origin}/` }).waitFor();
  expect(await page.getByLabel('Include my key in the code').count()).toBe(0);
  await page.getByRole('button', { name: 'Back to this server’s farm' }).click();
  await page.getByRole('heading', { name: 'At home' }).waitFor();
  // The key goes to the farm that it is of, and to nobody else.
  expect([...new Set(asked)]).toEqual([other.origin]);

  await page.getByRole('navigation').getByRole('link', { name: 'Farms' }).first().click();
  const away = page.getByRole('region', { name: 'Far away' });
  await away.getByText('0 of').waitFor();
  other.game.state.status.farmName = 'Far away, renamed';
  other.game.tell();
  await page.getByRole('region', { name: 'Far away, renamed' }).waitFor();
  await other.stop();
  await page.getByRole('region', { name: 'Far away, renamed' }).getByText('Out of reach').waitFor();
  await page.getByRole('region', { name: 'At home' }).getByText('0 of').waitFor();
  await other.start();
  await page
    .getByRole('region', { name: 'Far away, renamed' })
    .getByText('Out of reach')
    .waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Look at this farm/ }).click();
  await page.getByRole('heading', { name: 'Far away, renamed' }).waitFor();
  // Of a newer page this one's own server tells, whichever farm is looked at.
  const listening = page.waitForEvent('websocket', (socket) =>
    socket.url().includes(new URL(home.origin).host),
  );
  await page.reload();
  await (await listening).waitForEvent('framereceived', ({ payload }) => String(payload).includes('cursor'));
  await page.getByText(/^You are viewing/).waitFor();
  await page.route(`${home.origin}/`, async (route) => {
    const response = await answerTo(route);
    const body = (await response.text()).replace(/(version&quot;:&quot;)[^&]+/, '$199.0.0');
    await route.fulfill({ response, body });
  });
  await home.stop();
  await home.start();
  await page.getByText('The server is now version 99.0.0').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  // A link with a key is for this server's farm.
  await page.goto('about:blank');
  await page.goto(`${home.origin}/#key=of-a-link`);
  await page.getByRole('heading', { name: 'At home' }).waitFor();
  expect(await page.getByText(/^You are viewing/).count()).toBe(0);
  await again(home, { DASHBOARD_FARMS: '' });
  await page.goto(home.origin);
  await page.getByRole('heading', { name: 'At home' }).waitFor();
  await page.context().close();
});

it('says what an open server without a platform service has not, and shows whatever a cabin’s owner is called', async () => {
  const page = await home.visit({ path: '/keys' });
  await page.getByText('This server needs no key').waitFor();
  expect(await page.getByRole('button', { name: 'Make a key' }).count()).toBe(0);
  await page.goto(`${home.origin}/files`);
  await page.getByText('No platform service is used').waitFor();
  await page.getByText('Steward does not download the game’s files').waitFor();
  await page.goto(home.origin);
  const codes = page.getByRole('region', { name: 'Invite codes' });
  await codes.getByText('PLATFORM_AUTH_URL is empty').waitFor();
  await codes.getByText('Set PLATFORM_AUTH_URL').waitFor();
  expect(await codes.getByText('No problems.').count()).toBe(0);
  await page.goto(`${home.origin}/cabins`);
  await page.getByText('No cabin yet').waitFor();
  const hostile = '<img src=x onerror="globalThis.hit = true">'.repeat(8);
  home.game.state.cabins.cabins = Array.from({ length: 60 }, (_, index) => ({
    ...{ tileX: (index % 20) * 4, tileY: 3 * Math.floor(index / 20), isHidden: index % 7 === 0 },
    ...{ type: 'Normal', ownerId: String(index + 1), ownerName: hostile, isAssigned: true },
  }));
  home.game.tell();
  await page.getByRole('row').nth(60).waitFor();
  expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
  expect(await barriers(page)).toEqual([]);
  await page.setViewportSize(sizes.phone);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes.phone.width);
  await page.context().close();
});
