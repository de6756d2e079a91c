import { steward } from '@steward/client';
import { slot } from '@steward/testing/game/empty-farm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage, testKey } from './stage/page-stage.ts';
import { answerTo } from './stage/visitors.ts';

/** What was answered once, and is not true any more, or could not be answered. */
let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open({ key: testKey });
});
afterAll(() => stage[Symbol.asyncDispose]());

const farm = () => steward({ url: `${stage.origin}/api`, key: testKey });

const visit = (path: string, key = testKey) =>
  stage.visit({ path: `${path}#${new URLSearchParams({ key })}`, isSameTab: true });

/** As a server whose disk cannot be read for a moment. */
async function failing(page: Page, what: string): Promise<void> {
  const json = {
    type: 'about:blank',
    title: 'Unavailable',
    status: 500,
    code: 'internal',
    detail: 'The disk',
  };
  await page.route(what, (route) => route.fulfill({ status: 500, json }));
}

it('shows what came of a deed, and what others did meanwhile, with a key that may not hear of it', async () => {
  const { secret = '' } = await farm().createKey({ name: 'a moderator', scopes: 'moderate' });
  const page = await visit('/bans', secret);
  const bans = page.getByRole('region', { name: 'Banned players' });
  await bans.getByText('Nobody is banned').waitFor();
  await bans.getByLabel('Known by').selectOption('identity');
  await bans.getByLabel('Who').fill('76561198000000001');
  await bans.getByRole('button', { name: 'Ban', exact: true }).click();
  await bans.getByRole('button', { name: /^Lift the ban/ }).waitFor();
  await farm().addBan({ identity: '76561198000000002' });
  await page.getByRole('link', { name: 'Players' }).first().click();
  await page.getByRole('heading', { name: 'Players' }).waitFor();
  await page.getByRole('link', { name: 'Bans and allowlist' }).click();
  await bans.getByText('76561198000000002').waitFor();
  expect(stage.complaints).toEqual([]);
});

it('says that the farm could not be loaded, and does so when it is asked again', async () => {
  const page = await visit('/page');
  await page.getByRole('banner').getByText('Live').waitFor();
  await failing(page, '**/api/status');
  await page.reload();
  // From there on nothing is asked for anew by itself.
  await page.getByRole('banner').getByText('Live').waitFor();
  await page.getByRole('link', { name: 'The farm now' }).click();
  await page.getByText('This could not be loaded').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
  expect(await page.getByText('This could not be loaded').count()).toBe(0);
});

it('makes a farm also where the settings could not be loaded at first', async () => {
  const page = await visit('/page');
  await page.getByRole('banner').getByText('Live').waitFor();
  await failing(page, '**/api/settings');
  await page.getByRole('link', { name: 'The game' }).click();
  const make = page.getByRole('region', { name: 'Make a farm' });
  await make.getByText('This could not be loaded').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await make.getByRole('button', { name: 'Try again' }).click();
  await make.getByLabel('Profit margin (1 is normal)').waitFor();
  expect(await make.getByRole('button').allTextContents()).toEqual(['Make a farm']);
});

it('says of the game’s files nothing that it does not know', async () => {
  const page = await visit('/page');
  await page.getByRole('banner').getByText('Live').waitFor();
  await failing(page, '**/api/events?*');
  await page.getByRole('link', { name: 'Game files' }).click();
  await page.getByRole('region', { name: 'Platform session' }).waitFor();
  await page.getByText('This could not be loaded').waitFor();
  for (const said of ['Steward does not download the game’s files', 'No problems since the server started.'])
    expect(await page.getByText(said).count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No problems since the server started.').waitFor();
});

it('says of a schedule that has run on an empty farm when it runs next, and not that somebody is online', async () => {
  await farm().createSchedule({ name: 'quiet', action: 'rendering', fps: 7, emptyMinutes: 600 });
  const page = await visit('/page');
  // As it is from when it was due until somebody has come.
  await page.route('**/api/schedules', async (route) => {
    const response = await answerTo(route);
    const { schedules } = (await response.json()) as { schedules: { nextRun?: string }[] };
    await route.fulfill({ response, json: { schedules: schedules.map(({ nextRun: _, ...each }) => each) } });
  });
  await page.getByRole('link', { name: 'Schedules' }).first().click();
  const quiet = page.getByRole('region', { name: 'quiet' });
  await quiet.getByText('the next time that nobody is online').waitFor();
  expect(await quiet.getByText('somebody is online').count()).toBe(0);
});

it('leaves whoever has gone elsewhere there when a farmhand is deleted at last', async () => {
  stage.game.state.farmhands = [slot('77', 'Mia')];
  stage.game.tell();
  const page = await visit('/players/77');
  const { promise: late, resolve: goesOn } = Promise.withResolvers<void>();
  const isDeed = (url: string) => /farmhands\?/.test(url) && !url.includes('dryRun');
  await page.route(
    (url) => isDeed(url.href),
    async (route) => {
      await late;
      await route.continue();
    },
  );
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const said = page.waitForResponse((response) => isDeed(response.url()));
  await page.getByRole('link', { name: 'Chat' }).first().click();
  goesOn();
  await (await said).finished();
  await page
    .getByRole('status')
    .getByText(/Done|Not done/)
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/chat');
});

it('starts a drain at once, whatever was typed for a wait that there is not', async () => {
  const page = await visit('/');
  await page.getByRole('region', { name: 'On your phone' }).scrollIntoViewIfNeeded();
  await page.getByText('Drain: warn players, save, then stop or restart the game').click();
  await page.getByLabel('Longest wait in minutes').fill('99999');
  await page.getByLabel('When', { exact: true }).selectOption('now');
  await page.getByRole('button', { name: 'Start the drain' }).click();
  await page.getByRole('dialog', { name: 'Start a drain, and restart the game?' }).waitFor();
  expect(stage.complaints).toEqual([]);
});
