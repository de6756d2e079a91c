import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { chosenOrigin, serverNow, setClock } from '../src/farm/clock.ts';
import { PageStage } from './stage/page-stage.ts';
import { answerTo } from './stage/visitors.ts';

/** Two farms on machines whose clocks say otherwise. */
let home: PageStage;
let other: PageStage;
beforeAll(async () => {
  home = await PageStage.open();
  other = await PageStage.open();
  for (const [here, there] of [
    [home, other],
    [other, home],
  ] as const) {
    await here.stop();
    await here.start({ DASHBOARD_FARMS: there.origin, API_ALLOWED_ORIGINS: there.origin });
  }
});
afterAll(() => Promise.all([home, other].map((stage) => stage[Symbol.asyncDispose]())));

it('tells the times of each farm by the clock of its own server', async () => {
  const page = await home.visit({ path: '/icon.svg' });
  const health = `${other.origin}/api/health`;
  await page.route(health, async (route) => {
    const response = await answerTo(route);
    const timestamp = new Date(Date.now() + 86_400_000).toISOString();
    await route.fulfill({ response, json: { ...((await response.json()) as object), timestamp } });
  });
  home.game.happens({ kind: 'chat', playerId: '5512', playerName: 'Ann', message: 'At this moment' });
  const isAsked = page.waitForResponse(health);
  await page.goto(`${home.origin}/farms`);
  await isAsked;
  await page.getByText('0 of').nth(1).waitFor();
  await page.getByRole('link', { name: 'The farm now' }).first().click();
  const said = page.getByRole('listitem').filter({ hasText: 'At this moment' });
  expect(await said.locator('time').textContent()).toBe('just now');
  await page.context().close();
  expect([...home.complaints, ...other.complaints]).toEqual([]);
});

it('takes no clock for another because its answer was slow', () => {
  const origin = 'https://farm.test';
  chosenOrigin.value = origin;
  onTestFinished(() => {
    chosenOrigin.value = '';
  });
  const [tookMs, hourMs] = [20_000, 3_600_000];
  const now = Date.now();
  const said = (ms: number) => new Date(ms).toISOString();
  setClock(origin, said(now), now - tookMs);
  expect(serverNow(now)).toBe(now);
  setClock(origin, said(now + hourMs), now);
  const told = serverNow(now);
  expect(told - now).toBeGreaterThan(hourMs - tookMs);
  // What a quick answer told is known better.
  setClock(origin, said(now + hourMs), now - tookMs);
  expect(serverNow(now)).toBe(told);
  setClock(origin, said(now - hourMs), now - tookMs);
  expect(serverNow(now)).toBeLessThan(now - hourMs + tookMs);
});
