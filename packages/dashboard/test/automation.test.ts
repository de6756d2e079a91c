import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StackStage } from './stage/stack-stage.ts';
import { answerTo, barriers, barriersAnywhere } from './stage/visitors.ts';

let stage: StackStage;
let page: Page;
beforeAll(async () => {
  stage = await StackStage.open();
  page = await stage.visit();
});
afterAll(async () => {
  expect(stage.complaints).toEqual([]);
  await stage[Symbol.asyncDispose]();
});

async function open(path: string, of = page): Promise<void> {
  await of.goto(`${stage.origin}${path}`);
  await of.getByRole('banner').getByText('Live').waitFor();
  await of.waitForFunction(() => document.querySelector('[aria-busy]') === null);
}

describe('schedules', () => {
  it('are made from a few ready choices, by the viewer’s clock', async () => {
    await open('/schedules');
    const make = page.getByRole('button', { name: 'Create a schedule' });
    await make.click();
    await page.getByText('It needs a name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('nightly');
    await make.click();
    const nightly = page.getByRole('region', { name: 'nightly' });
    await nightly.getByText('Every night at 5').waitFor();
    const made = (await stage.farm.listSchedules()).schedules.find(({ name }) => name === 'nightly');
    const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(made).toMatchObject({ action: 'save', cron: '0 5 * * *', timeZone, missed: 'skip' });
    const next = await nightly.locator('time').first().getAttribute('datetime');
    expect(next).toBe(made?.nextRun);
  });

  it('are told what their action needs, and when in the words of cron', async () => {
    await open('/schedules');
    await page.getByLabel('Name', { exact: true }).fill('<b>noon</b>');
    await page.getByLabel('What is done', { exact: true }).selectOption('Announce something');
    await page.getByLabel('When', { exact: true }).selectOption('Cron expression');
    await page.getByLabel('Cron text').fill('often');
    await page.getByRole('button', { name: 'Create a schedule' }).click();
    await page.getByText('Five fields, separated by spaces.').waitFor();
    await page.getByText('Enter the message.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Message to players').fill('Lunch?');
    await page.getByLabel('Cron text').fill('0 12 * * 61');
    await page.getByRole('button', { name: 'Create a schedule' }).click();
    await page.getByRole('status').getByText('Not done').waitFor();
    await page.getByLabel('Cron text').fill('30 12 1 * *');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Make up for a missed one').check();
    await page.getByRole('button', { name: 'Create a schedule' }).click();
    const noon = page.getByRole('region', { name: '<b>noon</b>' });
    await noon.getByText('30 12 1 * *, time zone Europe/Berlin. A missed run is made up for.').waitFor();
    await noon.getByText('Lunch?').waitFor();
    const made = (await stage.farm.listSchedules()).schedules.find(({ name }) => name === '<b>noon</b>');
    expect(made).toMatchObject({
      ...{ action: 'announce', parameters: { message: 'Lunch?' }, missed: 'once' },
      ...{ cron: '30 12 1 * *', timeZone: 'Europe/Berlin' },
    });
  });

  it('are made for when nobody is there, run at once, and deleted', async () => {
    await open('/schedules');
    await page.getByLabel('Name', { exact: true }).fill('quiet');
    await page.getByLabel('What is done', { exact: true }).selectOption('Set the rendering');
    await page.getByLabel('Frames per second').fill('7');
    await page.getByLabel('When', { exact: true }).selectOption('When nobody is online');
    await page.getByLabel('Minutes without players').fill('600');
    await page.getByRole('button', { name: 'Create a schedule' }).click();
    const quiet = page.getByRole('region', { name: 'quiet' });
    await quiet.getByText('When nobody was online for 600 minutes').waitFor();
    await quiet.getByRole('button', { name: 'Run now: quiet' }).click();
    const sure = page.getByRole('dialog', { name: 'Run quiet now?' });
    await sure.getByRole('button', { name: 'Run now' }).click();
    await quiet.getByText('done', { exact: true }).waitFor();
    expect(await stage.farm.getRendering()).toEqual({ fps: 7 });
    await quiet.getByRole('button', { name: 'Delete quiet' }).click();
    await page.getByRole('dialog', { name: 'Delete quiet?' }).getByRole('button', { name: 'Delete' }).click();
    await quiet.waitFor({ state: 'detached' });
    expect((await stage.farm.listSchedules()).schedules.map(({ name }) => name)).not.toContain('quiet');
  });

  it('are seen as others make them, and off once the key that made them has ended', async () => {
    await open('/schedules');
    const { steward } = await import('@steward/client');
    const { key, secret = '' } = await stage.farm.createKey({ name: 'a bot', scopes: 'read,operate' });
    const bot = steward({ url: `${stage.origin}/api`, key: secret });
    await bot.createSchedule({ name: 'copies', action: 'backup', cron: '0 */6 * * *', note: 'each six' });
    const copies = page.getByRole('region', { name: 'copies' });
    await copies.getByText('Every six hours').waitFor();
    await copies.getByText('a bot').waitFor();
    await stage.farm.revokeKey({ id: key.id });
    await copies.getByText('off', { exact: true }).waitFor();
    expect(await copies.getByRole('button', { name: 'Run now: copies' }).count()).toBe(0);
  });
});

describe('the game', () => {
  it('begins another farm, made from the settings but for what is said, and goes back to the first', async () => {
    const [first] = (await stage.farm.listFarms()).farms;
    if (first === undefined) throw new Error('The stack hosts no farm');
    await open('/game');
    const table = page.getByRole('table', { name: 'Farms on this server' });
    await table.getByText('played now').waitFor();
    expect(await table.getByRole('button').count()).toBe(0);
    await page.getByLabel('Profit margin (1 is normal)').fill('0');
    await page.getByText('A number above 0, such as 0.75.').waitFor();
    await page.getByLabel('Profit margin (1 is normal)').fill('0.75');
    await page.getByLabel('Name', { exact: true }).fill('River & <i>bend');
    await page.getByLabel('Cabins from the first day on').fill('2');
    await page.getByRole('button', { name: 'Make a farm' }).click();
    const begin = page.getByRole('dialog', { name: 'Create the farm River & <i>bend?' });
    await begin.getByText('Nobody is online now.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await begin.getByRole('button', { name: 'Make a farm' }).click();
    const second = table.getByRole('row').filter({ hasText: 'River & <i>bend' });
    await second.getByText('played now').waitFor();
    const made = (await lastOf('createFarm'))?.after;
    expect(made).toMatchObject({ farmName: 'River & <i>bend', backupId: expect.any(String) });

    await table.getByRole('button', { name: `Play ${first.farmName}` }).click();
    const goOn = page.getByRole('dialog', { name: `Load ${first.farmName}?` });
    await goOn.getByLabel('Message to players').fill('It is Friday');
    await goOn.getByRole('button', { name: 'Play' }).click();
    await table.getByRole('row').filter({ hasText: first.farmName }).getByText('played now').waitFor();
    expect(await second.getByText('played now').count()).toBe(0);
    expect((await stage.farm.listFarms()).farms.find(({ isLoaded }) => isLoaded)?.id).toBe(first.id);
  });

  it('says who would be seen off, and why it has not gone on to another farm', async () => {
    await open('/game');
    await stage.comes('Dora');
    await page.getByRole('button', { name: 'Make a farm' }).click();
    const begin = page.getByRole('dialog', { name: /^Create the farm/ });
    await begin.getByText('1 player is online now, and will be warned and disconnected.').waitFor();
    // A day ends within seconds, and whoever is there stays.
    await begin.getByLabel('What it waits for').selectOption('until nobody is online');
    await begin.getByRole('button', { name: 'Make a farm' }).click();
    await page.getByText('Loading another farm').waitFor();
    await stage.farm.cancelDrain();
    await page.getByText('The old farm stays loaded').waitFor();
    expect((await stage.farm.listFarms()).farms.filter(({ isLoaded }) => isLoaded)).toHaveLength(1);
    await stage.order('leave', 'Dora');
  });

  it('shows a picture of itself under the policy, and what it prints as text', async () => {
    const line = '\u202e<img src=x onerror=alert(1)> & <b>bold</b>';
    await page.route('**/api/game/log', (route) =>
      route.fulfill({ json: { lines: [{ at: '2026-11-22T10:00:00.000Z', stream: 'stdout', text: line }] } }),
    );
    await open('/game');
    const log = page.getByRole('region', { name: 'Latest lines' });
    expect(await log.textContent()).toContain(line);
    expect(await log.locator('img, b').count()).toBe(0);
    await page.getByRole('button', { name: 'Take a screenshot' }).click();
    const picture = page.getByRole('img', { name: /^Screenshot of/ });
    await picture.waitFor();
    await page.waitForFunction(
      () => (document.querySelector<HTMLImageElement>('.picture img')?.naturalWidth ?? 0) > 0,
    );
    expect(await barriersAnywhere(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('offers what a key may do and this game can do, and nothing else', async () => {
    const { secret = '' } = await stage.farm.createKey({ name: 'a reader', scopes: 'read' });
    const reader = await stage.visit({ path: '/page', key: secret });
    await open('/game', reader);
    const buttons = reader.getByRole('main').getByRole('button');
    expect(await buttons.allTextContents()).toEqual(['Take a screenshot']);
    expect(await reader.getByText('Output of the game').count()).toBe(0);
    await reader.context().close();
    await page.route('**/api/status', async (route) => {
      const response = await answerTo(route);
      const status = (await response.json()) as { capabilities: string[] };
      await route.fulfill({ response, json: { ...status, capabilities: ['save'] } });
    });
    await open('/game');
    await page.getByText('The game or its mod does not support it.').first().waitFor();
    for (const name of ['Make a farm', 'Take a screenshot'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('each of these views', () => {
  it.each(['/schedules', '/game'])('%s has no barrier, and nothing beside its window', async (path) => {
    await open(path);
    expect(await barriersAnywhere(page)).toEqual([]);
  });
});

async function lastOf(command: string) {
  const { operations } = await stage.farm.listOperations();
  return operations.find((operation) => operation.command === command);
}
