import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
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

async function open(path: string): Promise<void> {
  await page.goto(`${stage.origin}${path}`);
  await stands(page);
}

async function stands(of: Page): Promise<void> {
  await of.getByRole('banner').getByText('Live').waitFor();
  await of.waitForFunction(() => document.querySelector('[aria-busy]') === null);
}

/** As somebody whose key is good for this alone. */
async function visitWith(scopes: string, path: string): Promise<Page> {
  const { secret = '' } = await stage.farm.createKey({ name: `for ${path} ${scopes}`, scopes });
  const visitor = await stage.visit({ path, key: secret, isSameTab: true });
  await stands(visitor);
  return visitor;
}

async function saveSurely(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
}

const done = () => page.getByRole('status').getByText('Done').last();

describe('time and rendering', () => {
  it('are set by keys alone, and seen in the farm', async () => {
    await open('/time');
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    // Six hours, by ten minutes each.
    for (let step = 0; step < 36; step += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    const set = page.getByRole('button', { name: 'Set it to 12:00 pm' });
    expect(await set.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await done().waitFor();
    expect(await lastOf('setTime')).toMatchObject({ state: 'applied', after: { timeOfDay: 1200 } });
  });

  it('ask first where the day would end, and do nothing then', async () => {
    await open('/time');
    const before = await lastOf('setTime');
    await page.getByRole('slider').focus();
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Set it to 2:00 am' }).click();
    const dialog = page.getByRole('dialog', { name: 'End the day?' });
    await dialog.waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await lastOf('setTime')).toEqual(before);
  });

  it('are drawn as often as one says', async () => {
    await open('/time');
    await page.getByRole('button', { name: '30', exact: true }).click();
    await page.getByText('30 a second', { exact: true }).waitFor();
    expect(await stage.farm.getRendering()).toEqual({ fps: 30 });
    const other = page.getByLabel('Another rate');
    await other.fill('-3');
    await other.press('Enter');
    await page.getByText('A whole number, 0 or more.').waitFor();
    await other.fill('12');
    await other.press('Enter');
    await page.getByText('12 a second', { exact: true }).waitFor();
    expect(await stage.farm.getRendering()).toEqual({ fps: 12 });
  });

  it('are not offered to who may only look, nor where this game cannot', async () => {
    const reader = await visitWith('read', '/time');
    expect(await reader.getByRole('main').getByRole('button').count()).toBe(0);
    await page.route('**/api/status', async (route) => {
      const response = await answerTo(route);
      const status = (await response.json()) as { capabilities: string[] };
      await route.fulfill({ response, json: { ...status, capabilities: ['setRenderRate'] } });
    });
    await open('/time');
    await page.getByText('The game or its mod does not support it.').waitFor();
    expect(await page.getByRole('slider').count()).toBe(0);
    await page.getByRole('button', { name: 'Off' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('settings', () => {
  it('are checked, asked for once more with what is changed, and saved', async () => {
    await open('/settings');
    const most = page.getByLabel('Maximum players');
    await most.fill('1000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A whole number from 1 to 100.').waitFor();
    expect(await most.evaluate((field) => field === document.activeElement)).toBe(true);
    await most.fill('33');
    await page.getByLabel('Separate wallets').check();
    await page.getByLabel('New cabins').selectOption('On the map');
    await page.getByLabel('Admins').fill('76561198000000001, 76561198000000002');
    await page.getByText('4 changes').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save these settings?' });
    await dialog.getByText('Maximum players').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing is changed.').waitFor();
    const { server } = await stage.farm.getSettings();
    expect(server).toMatchObject({
      maxPlayers: 33,
      separateWallets: true,
      cabinStrategy: 'None',
      adminPlatformIds: ['76561198000000001', '76561198000000002'],
    });
    await page.getByLabel('Admins').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing is changed.').waitFor();
    expect((await stage.farm.getSettings()).server.adminPlatformIds).toEqual([]);
  });

  it('are shown again when somebody else changes them, and what one has typed stays', async () => {
    await open('/settings');
    await page.getByLabel('Its layout').fill('cellar');
    await stage.farm.changeSettings({ maxPlayers: 21 });
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-name=maxPlayers] input')?.value === '21',
    );
    expect(await page.getByLabel('Its layout').inputValue()).toBe('cellar');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Its layout').inputValue()).toBe('default');
  });

  it('stay in sight as they were typed until they are in sight as saved', async () => {
    await open('/settings');
    const most = page.getByLabel('Maximum players');
    const read = Promise.withResolvers<void>();
    onTestFinished(() => read.resolve());
    const asked = Promise.withResolvers<void>();
    await page.route('**/api/settings', async (route) => {
      asked.resolve();
      await read.promise;
      await route.continue();
    });
    const saved = page.waitForResponse(/api\/settings\?/);
    await most.fill('44');
    await saveSurely();
    await Promise.all([(await saved).finished(), asked.promise]);
    // Whatever the page does on the answer it has done once its next frame is drawn.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    expect(await most.inputValue()).toBe('44');
    read.resolve();
    await page.getByText('Nothing is changed.').waitFor();
    expect(await most.inputValue()).toBe('44');
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('leave in the form what is typed while they are saved', async () => {
    await open('/settings');
    const answered = Promise.withResolvers<void>();
    onTestFinished(() => answered.resolve());
    await page.route('**/api/settings?*', async (route) => {
      const response = await answerTo(route);
      // What is refused for the moment, as while the game saves, the page asks for again by itself.
      if (response.ok()) await answered.promise;
      await route.fulfill({ response });
    });
    await page.getByLabel('Maximum players').fill('45');
    await saveSurely();
    await page.getByText('Nothing is changed.').waitFor();
    await page.getByLabel('Its layout').fill('cellar');
    await page.getByText('1 change', { exact: true }).waitFor();
    answered.resolve();
    await done().waitFor();
    await page.locator('[type=submit]:not([aria-disabled])').waitFor();
    expect(await page.getByLabel('Its layout').inputValue()).toBe('cellar');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('stay as they were typed where what was saved cannot be read again', async () => {
    await open('/settings');
    const most = page.getByLabel('Maximum players');
    await page.route('**/api/settings', (route) =>
      route.fulfill({ status: 403, json: { code: 'forbidden', detail: 'not now', status: 403 } }),
    );
    await most.fill('46');
    await saveSurely();
    await done().waitFor();
    await page.locator('[type=submit]:not([aria-disabled])').waitFor();
    expect(await most.inputValue()).toBe('46');
    await page.unrouteAll({ behavior: 'wait' });
    // Somebody else changes another, and the page hears of it.
    await stage.farm.changeSettings({ networkBroadcastPeriod: 7 });
    await page.getByText('Nothing is changed.').waitFor();
    expect(await most.inputValue()).toBe('46');
  });

  it('say what waits for a restart and what for a new farm', async () => {
    const waiting = { restart: ['server.lobbyMode'], newGame: ['game.petName'] };
    await page.route('**/api/settings', async (route) => {
      const response = await answerTo(route);
      await route.fulfill({ response, json: { ...((await response.json()) as object), waiting } });
    });
    await open('/settings');
    const restart = page.getByText('waits for a restart of the game');
    await restart.waitFor();
    expect(await page.locator('[data-name=lobbyMode]').getByText('waits for a restart').count()).toBe(1);
    expect(await restart.count()).toBe(1);
    await page.getByText('waits for a new farm').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('are fixed where the key is not good for them, some of them for admins alone', async () => {
    const operator = await visitWith('read,operate', '/settings');
    expect(await operator.getByLabel('Maximum players').isEnabled()).toBe(true);
    expect(await operator.getByLabel('Join by IP').isEnabled()).toBe(false);
    await operator.getByText('You need a key with the scope admin.').first().waitFor();
    // A key that may not know identities is not told who is an admin.
    expect(await operator.getByLabel('Admins', { exact: true }).count()).toBe(0);
    const reader = await visitWith('read', '/settings');
    expect(await reader.getByLabel('Maximum players').isEnabled()).toBe(false);
    expect(await reader.getByRole('main').getByRole('button').count()).toBe(0);
  });
});

it('draws each cabin where it stands, and says whose it is', async () => {
  await stage.comes('Placed');
  await open('/cabins');
  // Those that stand somewhere stay there, and the next ones are kept out of sight.
  await stage.farm.changeSettings({ cabinStrategy: 'None' });
  await stage.farm.changeSettings({ cabinStrategy: 'CabinStack' });
  await stage.comes('Stacked');
  const table = page.getByRole('table', { name: 'All cabins' });
  await table.getByText('Stacked').waitFor();
  const { cabins } = await stage.farm.listCabins();
  const onMap = cabins.filter(({ isHidden }) => !isHidden);
  const label = `The farm from above: ${onMap.length} cabins on the map, ${cabins.length - onMap.length} hidden`;
  await page.getByRole('img', { name: label }).waitFor();
  expect(await table.getByRole('row').count()).toBe(cabins.length + 1);
  expect(onMap.length).toBeGreaterThan(0);
  for (const { tileX, tileY } of onMap)
    expect(await page.locator(`.cabin[transform="translate(${tileX} ${tileY})"]`).count()).toBe(1);
});

it('tells how it stands with the platform’s session and the game’s files', async () => {
  await open('/files');
  const session = page.getByRole('region', { name: 'Platform session' });
  await session.getByText('Signed in').waitFor();
  const { inviteWay } = await stage.farm.getStatus();
  expect(inviteWay.length).toBeGreaterThan(0);
  for (const { step, reason } of inviteWay)
    if (step === 'sidecar' || step === 'login') await session.getByText(reason).waitFor();
  await page.getByRole('region', { name: 'Game files' }).getByText('complete').waitFor();
});

it('plots say so where nothing was measured, and show months of what was', async () => {
  // Nobody knows how many minutes have ended since the farm began.
  await page.route('**/api/samples?*', async (route) => {
    const response = await answerTo(route);
    const answer = (await response.json()) as Record<string, unknown>;
    const ofNothing = (_: string, value: unknown) => (Array.isArray(value) ? value.map(() => null) : value);
    await route.fulfill({ response, body: JSON.stringify(answer, ofNothing) });
  });
  await open('/plots');
  expect(await page.getByText('A sample is taken each minute.').count()).toBe(4);
  await page.unrouteAll({ behavior: 'wait' });
  await page.route('**/api/samples?*', async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const response = await answerTo(route);
    const answer = (await response.json()) as { players: (number | null)[] };
    const each = (value: number) => answer.players.map((_, index) => (index % 50 === 7 ? null : value));
    const mostPlayers = each(asked.get('step') === 'day' ? 9 : 4);
    await route.fulfill({ response, json: { ...answer, players: each(2.25), mostPlayers } });
  });
  await open('/plots');
  const players = page.getByRole('region', { name: 'Players', exact: true });
  await players.getByText('4 at most').waitFor();
  await players.getByText('2.3 on average').waitFor();
  expect(await players.locator('path.line').first().getAttribute('d')).toMatch(/^M[\d.]+ [\d.]+L/);
  await page.getByLabel('How far back').selectOption('400 days');
  await players.getByText('9 at most').waitFor();
  const along = players.getByRole('slider', { name: 'Players: over time' });
  await along.focus();
  await page.keyboard.press('Home');
  expect(await along.getAttribute('aria-valuetext')).toMatch(/: 9 at most, 2.3 on average$/);
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowRight');
  await players.getByText('– at most').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

describe('each of these views', () => {
  it.each(['/time', '/settings', '/cabins', '/files', '/plots'])(
    '%s has no barrier, and nothing beside its window',
    async (path) => {
      await open(path);
      expect(await barriersAnywhere(page)).toEqual([]);
    },
  );
});

async function lastOf(command: string) {
  const { operations } = await stage.farm.listOperations();
  return operations.find((operation) => operation.command === command);
}
