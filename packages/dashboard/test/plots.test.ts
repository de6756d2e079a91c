import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage } from './stage/page-stage.ts';

let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** As many days as anybody asks for, from a day that began in UTC. */
const from = '2026-01-01T00:00:00.000Z';
const days = Array.from({ length: 300 }, (_, day) => day);
const samples = {
  ...{ from, step: 'day', stepSeconds: 86_400, players: days, mostPlayers: days, ticksPerSecond: days },
  ...{ tickGapMs: days, bridgeLatencyMs: days, serviceMemoryMb: days, gameMemoryMb: days },
};

it.each(['America/Los_Angeles', 'Asia/Tokyo'])(
  'calls a day by its own date, also to who is in %s',
  async (timezoneId) => {
    const page = await stage.visit({ path: '/icon.svg' });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId });
    await session.send('Emulation.setLocaleOverride', { locale: 'en-US' });
    await page.route('**/api/samples?*', (route) => route.fulfill({ json: samples }));
    await page.goto(`${stage.origin}/plots`);
    await page.getByLabel('How far back').selectOption('400 days');
    const along = page.getByRole('slider', { name: 'Players: over time' });
    await along.focus();
    await page.keyboard.press('Home');
    expect(await along.getAttribute('aria-valuetext')).toMatch(/^Jan 1: /);
    const marks = page.getByRole('region', { name: 'Players', exact: true }).locator('text:not(.end)');
    expect(await marks.first().textContent()).toMatch(/^[A-Z][a-z]{2} \d+$/);
    await page.context().close();
    expect(stage.complaints).toEqual([]);
  },
);

it('marks each day once where clocks are set back meanwhile', async () => {
  const page = await stage.visit({ path: '/icon.svg' });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
  await session.send('Emulation.setLocaleOverride', { locale: 'en-US' });
  const hours = Array.from({ length: 168 }, (_, hour) => hour);
  const measured = Object.keys(samples).filter((each) => !['from', 'step', 'stepSeconds'].includes(each));
  const week = {
    ...{ from: '2026-10-22T00:00:00.000Z', step: 'hour', stepSeconds: 3_600 },
    ...Object.fromEntries(measured.map((each) => [each, hours])),
  };
  await page.route('**/api/samples?*', (route) => route.fulfill({ json: week }));
  await page.goto(`${stage.origin}/plots`);
  await page.getByLabel('How far back').selectOption('7 days');
  const marks = page.getByRole('region', { name: 'Players', exact: true }).locator('text:not(.end)');
  await expect.poll(() => marks.allTextContents()).toEqual(['Oct 24', 'Oct 26', 'Oct 28']);
  await page.context().close();
  expect(stage.complaints).toEqual([]);
});
