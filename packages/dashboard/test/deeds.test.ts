import { readFileSync } from 'node:fs';
import { eventually } from '@steward/testing/eventually';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StackStage } from './stage/stack-stage.ts';
import { answerTo, barriers, barriersAnywhere } from './stage/visitors.ts';

const zstdMagic = 0xfd2fb528;

let stage: StackStage;
beforeAll(async () => {
  stage = await StackStage.open();
});
afterAll(async () => {
  expect(stage.complaints).toEqual([]);
  await stage[Symbol.asyncDispose]();
});

const farmhand = async (id: string) =>
  (await stage.farm.listFarmhands()).farmhands.find(({ idStr }) => idStr === id);

/** Presses the button of a deed, and then the one that says yes to it. */
async function isSureTo(page: Page, verb: string, question: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: verb, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: verb, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('players', () => {
  it('are shown with the way they came, promoted, let go, and deleted for good once they are away', async () => {
    const id = await stage.comes('Robin');
    const page = await stage.visit({ path: '/players', isSameTab: true });
    const row = page.getByRole('region', { name: 'On the farm now' }).getByRole('link', { name: /Robin/ });
    await row.getByText('friends list or S code').waitFor();
    await row.click();
    await page.getByRole('heading', { name: 'Robin' }).waitFor();
    await page.getByText('Not while they play.').waitFor();
    await page.getByText('one platform account').waitFor();

    await isSureTo(page, 'Promote', 'Make Robin an admin?');
    await page.getByRole('status').getByText('Done').waitFor();
    expect(await farmhand(id)).toMatchObject({ isAdmin: true });
    // It is offered no more, and said.
    await page.getByRole('banner').getByText('Live').waitFor();
    await page.getByRole('button', { name: 'Promote' }).waitFor({ state: 'detached' });

    await isSureTo(page, 'Release', 'Release Robin?');
    await page.getByText('the next player who takes it', { exact: true }).waitFor();
    expect(await farmhand(id)).toMatchObject({ owned: false, released: true });

    await stage.order('leave', 'Robin');
    const remove = page.getByRole('main').getByRole('button', { name: 'Delete', exact: true });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Delete Robin?' });
    // As the server says it, which has been asked and has changed nothing.
    await dialog.getByText('Robin would be deleted').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    // What the server says late puts no other question under a finger that means the one that is open.
    const { promise: late, resolve: goesOn } = Promise.withResolvers<void>();
    const isDryRun = (url: string) => new URL(url).searchParams.has('dryRun');
    await page.route(
      (url) => isDryRun(url.href),
      async (route) => {
        await late;
        await route.continue();
      },
    );
    const said = page.waitForResponse((response) => isDryRun(response.url()));
    await remove.click();
    await page.getByRole('main').getByRole('button', { name: 'Ban', exact: true }).click();
    const ban = page.getByRole('dialog', { name: 'Ban Robin?' });
    await ban.waitFor();
    goesOn();
    await (await said).finished();
    await remove.and(page.locator(':not([aria-disabled])')).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await ban.getByRole('button', { name: 'Cancel' }).click();
    await page.unrouteAll({ behavior: 'wait' });
    expect(await farmhand(id)).toMatchObject({ name: 'Robin' });
    await isSureTo(page, 'Delete', 'Delete Robin?');
    await page.waitForURL(`${stage.origin}/players`);
    expect(await farmhand(id)).toBeUndefined();
  });

  it('who were kept out are let in as the farmhand that they wanted', async () => {
    const id = await stage.comes('Ann');
    await stage.order('leave', 'Ann');
    // The same person with another account is a stranger.
    expect(await stage.order('join', 'Ann', '--client', 'test', `--farmhand=${id}`)).toMatch(/left/);
    const page = await stage.visit({ path: '/players', size: 'phone', isSameTab: true });
    const keptOut = page.getByRole('region', { name: 'Recently refused' });
    await keptOut.getByText('Somebody wanted to join as Ann').waitFor();
    await keptOut.getByRole('link', { name: 'Let them join as this farmhand' }).click();
    await page.getByRole('heading', { name: 'Ann' }).waitFor();
    const field = page.getByLabel('Platform or network id');
    const given = await field.inputValue();
    expect(given).toMatch(/^\d+$/);
    await field.fill('Ann');
    await page.getByRole('button', { name: 'Give it' }).click();
    await page.getByText('An id has only digits, 20 at most.').waitFor();
    await field.fill(given);
    await isSureTo(page, 'Give it', 'Give Ann to another identity?');
    await page.getByRole('status').getByText('Done').waitFor();
    expect(await farmhand(id)).toMatchObject({ owned: true, door: 'network', origin: 'operator' });
    expect(await stage.order('join', 'Ann', '--client', 'test')).toContain(`as farmhand ${id}`);
    await stage.order('leave', 'Ann');
  });
});

describe('who misbehaves', () => {
  it('is sent away, banned until a day, seen among the bans, and let in again', async () => {
    const id = await stage.comes('Pam');
    const page = await stage.visit({ path: `/players/${id}`, isSameTab: true });
    const deed = (title: string) =>
      page
        .getByRole('region', { name: 'What you can do' })
        .getByRole('listitem')
        .filter({
          has: page.getByRole('heading', { name: title, exact: true }),
        });
    await deed('Kick').getByLabel('Reason, shown to the player').fill('cool down');
    expect(await barriersAnywhere(page)).toEqual([]);
    await isSureTo(page, 'Kick', 'Kick Pam?');
    await page.getByText('Pam is kicked, and may come back').waitFor();
    await deed('Kick').waitFor({ state: 'detached' });
    expect((await stage.farm.listPlayers()).players.map(({ name }) => name)).not.toContain('Pam');

    await deed('Ban').getByLabel('Reason, shown to the player').fill('<b>griefing</b>');
    await deed('Ban').getByLabel('How long').selectOption('for a week');
    await isSureTo(page, 'Ban', 'Ban Pam?');
    await page.getByText(/^Pam is banned until/).waitFor();
    expect((await stage.farm.listBans()).bans).toMatchObject([
      { playerName: 'Pam', reason: '<b>griefing</b>', until: expect.any(String) },
    ]);
    expect(await stage.order('join', 'Pam')).not.toMatch(/as farmhand/);

    await page.getByRole('navigation').getByRole('link', { name: 'Bans and allowlist' }).first().click();
    const bans = page.getByRole('region', { name: 'Banned players' });
    await bans.getByRole('row', { name: /Pam.*<b>griefing<\/b>/ }).waitFor();
    expect(await barriersAnywhere(page)).toEqual([]);
    await bans.getByRole('button', { name: 'Lift the ban of Pam' }).click();
    await page
      .getByRole('dialog', { name: 'Lift the ban of Pam?' })
      .getByRole('button', { name: 'Lift' })
      .click();
    await bans.getByText('Nobody is banned').waitFor();
    expect((await stage.farm.listBans()).bans).toEqual([]);
  });

  it('is banned by an address only after it was said whom else it may concern', async () => {
    const page = await stage.visit({ path: '/bans', size: 'phone', isSameTab: true });
    const bans = page.getByRole('region', { name: 'Banned players' });
    await bans.getByLabel('Known by').selectOption('an IP address or network');
    await bans.getByRole('button', { name: 'Ban', exact: true }).click();
    await bans.getByText('Enter a player.').waitFor();
    await bans.getByLabel('Who').fill('192.168.1.7');
    await bans.getByLabel('Reason').fill('griefing');
    await bans.getByRole('button', { name: 'Ban', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'This may affect others' });
    // The second press of a double click means what was there at the first.
    await dialog.getByRole('button', { name: 'Do it anyway' }).dispatchEvent('click', { detail: 2 });
    expect((await stage.farm.listBans()).bans).toEqual([]);
    await dialog.getByText(/private/).waitFor();
    expect((await stage.farm.listBans()).bans).toEqual([]);
    // Below the dialog nobody types; where it took long to come, somebody may have.
    await bans.getByLabel('Reason').evaluate((field: HTMLInputElement) => {
      field.value = 'of the next one';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await dialog.getByRole('button', { name: 'Do it anyway' }).click();
    await bans.getByRole('button', { name: 'Lift the ban of 192.168.1.7' }).waitFor();
    const [row] = (await stage.farm.listBans()).bans;
    expect(row).toMatchObject({ address: '192.168.1.7', reason: 'griefing' });
    expect(await bans.getByLabel('Reason').inputValue()).toBe('of the next one');
    // Somebody else lifts it, and the page knows.
    await stage.farm.removeBan({ id: row?.id ?? '' });
    await bans.getByText('Nobody is banned').waitFor();
  });

  it('is kept out by a list from elsewhere, pasted or out of a file, and whom it leaves out is said', async () => {
    const page = await stage.visit({ path: '/bans', isSameTab: true });
    const bans = page.getByRole('region', { name: 'Banned players' });
    await bans.getByText('Bring a list from elsewhere').click();
    const list = bans.getByLabel('The list');
    const take = bans.getByRole('button', { name: 'Import them' });
    await list.fill('[{"identity": "5"},]');
    await take.click();
    await bans.getByText('It begins like JSON, but is not valid.').waitFor();
    await list.fill('76561198000000007 2026-11-01 12:30:45 # <b>Robin</b>\n192.168.1.7\n<i>Pam</i>');
    await take.click();
    const dialog = page.getByRole('dialog', { name: 'Import this list?' });
    await dialog.getByText('1 new, 0 already on the list, 0 already over. 2 left out').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect((await stage.farm.listBans()).bans).toEqual([]);
    await dialog.getByRole('button', { name: 'Import them' }).click();
    await bans.getByRole('row', { name: /identity 76561198000000007/ }).waitFor();
    const leftOut = bans.getByRole('region', { name: 'Left out' });
    await leftOut.getByText('Line 3 has no id or address: <i>Pam</i>').waitFor();
    await leftOut.getByText(/Row 2: .*private/).waitFor();
    const buffer = Buffer.from(JSON.stringify({ bans: [{ address: '192.168.1.7', reason: 'Griefing' }] }));
    await bans
      .getByLabel('From a file')
      .setInputFiles({ name: 'old.json', mimeType: 'application/json', buffer });
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('Griefing'));
    await bans.getByLabel('Also shared addresses').check();
    await take.click();
    await dialog.getByRole('button', { name: 'Import them' }).click();
    await bans.getByRole('row', { name: /192\.168\.1\.7.*Griefing/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    const rows = (await stage.farm.listBans()).bans;
    expect(rows).toMatchObject([{ identity: '76561198000000007' }, { address: '192.168.1.7' }]);
    for (const { id } of rows) await stage.farm.removeBan({ id });
    await bans.getByText('Nobody is banned').waitFor();
  });

  it('is kept out by a second list, too, that was pasted while the first was being taken in', async () => {
    const page = await stage.visit({ path: '/bans', isSameTab: true });
    const bans = page.getByRole('region', { name: 'Banned players' });
    await bans.getByText('Bring a list from elsewhere').click();
    const list = bans.getByLabel('The list');
    await list.fill('76561198000000007');
    const answered = Promise.withResolvers<void>();
    await page.route(/bans\/import/, async (route) => {
      if (!route.request().url().includes('dryRun=true')) await answered.promise;
      await route.continue();
    });
    await bans.getByRole('button', { name: 'Import them' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import them' }).click();
    await list.fill('76561198000000008');
    answered.resolve();
    await page.getByText('1 new, 0 already on the list').waitFor();
    expect(await list.inputValue()).toBe('76561198000000008');
    for (const { id } of (await stage.farm.listBans()).bans) await stage.farm.removeBan({ id });
  });

  it('is kept out by as much of a long list as was taken in before the server failed, which is said', async () => {
    const page = await stage.visit({ path: '/bans', isSameTab: true });
    const bans = page.getByRole('region', { name: 'Banned players' });
    await bans.getByText('Bring a list from elsewhere').click();
    const list = bans.getByLabel('The list');
    // So long in an address that no request has room for all of them.
    const reason = '🌽'.repeat(100);
    const rows = Array.from({ length: 10 }, (_, row) => ({
      identity: `${76561198000000007n + BigInt(row)}`,
      reason,
    }));
    const many = JSON.stringify(rows);
    await list.fill(many);
    let taken = 0;
    await page.route(/bans\/import/, async (route) => {
      if (!route.request().url().includes('dryRun=true')) taken += 1;
      if (taken < 2) return await route.continue();
      const problem = { type: 'about:blank', title: 'Internal error', status: 500, code: 'internal-error' };
      const json = { ...problem, detail: 'A bug in the server', requestId: 'r-1' };
      await route.fulfill({ status: 500, contentType: 'application/problem+json', json });
    });
    const take = bans.getByRole('button', { name: 'Import them' });
    const sure = page.getByRole('dialog').getByRole('button', { name: 'Import them' });
    await take.click();
    await sure.click();
    await page.getByText(/^[1-9]\d* new, .* Stopped: A bug in the server$/).waitFor();
    expect(await list.inputValue()).toBe(many);
    const half = (await stage.farm.listBans()).bans.length;
    expect(half).toBeGreaterThan(0);
    await page.unrouteAll();
    await take.click();
    await sure.click();
    await page
      .getByText(`${10 - half} new, ${half} already on the list`)
      .first()
      .waitFor();
    for (const { id } of (await stage.farm.listBans()).bans) await stage.farm.removeBan({ id });
  });

  it('is kept out by an allowlist on which others stand, and listed with the reason and the id', async () => {
    await stage.comes('Leah');
    await stage.order('leave', 'Leah');
    const page = await stage.visit({ path: '/bans', isSameTab: true });
    const list = page.getByRole('region', { name: 'Allowlist' });
    await list.getByLabel('Known by').selectOption('a platform or network id');
    await list.getByLabel('Who').fill('76561198000000001');
    await list.getByRole('button', { name: 'Add to the allowlist' }).click();
    const lift = list.getByRole('button', { name: 'Remove identity 76561198000000001 from the allowlist' });
    await lift.waitFor();
    expect(await stage.farm.listAllowed()).toMatchObject({
      isOn: true,
      allowlist: [{ identity: '76561198000000001' }],
    });
    expect(await stage.order('join', 'Leah')).toContain('Only players on');
    await page.getByRole('navigation').getByRole('link', { name: 'Players' }).first().click();
    const refused = page
      .getByRole('region', { name: 'Recently refused' })
      .getByRole('listitem')
      .filter({ hasText: 'they are not on the allowlist' });
    await refused.getByText('Somebody wanted to join', { exact: true }).waitFor();
    expect(await refused.locator('code').textContent()).toMatch(/^\d+$/);
    await refused.getByRole('button', { name: 'Copy: Platform or network id' }).waitFor();
    expect(await barriersAnywhere(page)).toEqual([]);
    await page.getByRole('navigation').getByRole('link', { name: 'Bans and allowlist' }).first().click();
    await lift.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await list.getByText(/^The allowlist is off/).waitFor();
    expect(await stage.farm.listAllowed()).toMatchObject({ isOn: false });
  });
});

it('a line from the server is shown to everybody', async () => {
  const page = await stage.visit({ isSameTab: true });
  await page.getByRole('region', { name: 'On your phone' }).scrollIntoViewIfNeeded();
  const card = page.getByRole('region', { name: 'Message to everybody' });
  await card.getByLabel('Message from the server').fill('Supper in ten minutes');
  await card.getByRole('button', { name: 'Show it' }).click();
  await page.getByText('It is shown to everybody in the game').waitFor();
  expect(await card.getByLabel('Message from the server').inputValue()).toBe('');
  const { operations } = await stage.farm.listOperations({ limit: 5 });
  expect(operations.find(({ command }) => command === 'announce')).toMatchObject({ state: 'applied' });
});

it('what is typed while a line is sent stays in the form, and only that line is shown', async () => {
  const page = await stage.visit({ isSameTab: true });
  await page.getByRole('region', { name: 'On your phone' }).scrollIntoViewIfNeeded();
  const card = page.getByRole('region', { name: 'Message to everybody' });
  const line = card.getByLabel('Message from the server');
  const answered = Promise.withResolvers<void>();
  const sent: string[] = [];
  await page.route(/api\/announce/, async (route) => {
    sent.push(new URL(route.request().url()).searchParams.get('message') ?? '');
    const response = await answerTo(route);
    await answered.promise;
    await route.fulfill({ response });
  });
  await line.fill('Supper is ready');
  await card.getByRole('button', { name: 'Show it' }).click();
  await line.fill('Supper is over');
  answered.resolve();
  await page.getByText('It is shown to everybody in the game').waitFor();
  expect([await line.inputValue(), sent]).toEqual(['Supper is over', ['Supper is ready']]);
});

it('players are seen off with a countdown that can be ended, and a game that was stopped is started again', async () => {
  // Nobody counts down for nobody.
  await stage.comes('Gus');
  const page = await stage.visit({ isSameTab: true });
  await page.getByRole('region', { name: 'On your phone' }).scrollIntoViewIfNeeded();
  const card = page.getByRole('region', { name: 'Message to everybody' });
  const sign = page.getByRole('region', { name: (await stage.farm.getStatus()).farmName });
  const fillIn = async (seconds: string) => {
    await card.getByText('Drain: warn players, save, then stop or restart the game').click();
    await card.getByLabel('When', { exact: true }).selectOption('now');
    await card.getByLabel('Seconds of countdown').fill(seconds);
    await card.getByLabel('The reason, shown to the players').fill('We update the mods');
    await card.getByLabel('Start the game again at once').uncheck();
  };
  const start = async () => {
    await card.getByRole('button', { name: 'Start the drain' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a drain?' });
    await dialog
      .getByText(/^\d+ players? (?:is|are) online now\. What you would lose if the game stopped now: /)
      .waitFor();
    expect((await stage.farm.getStatus()).draining).toBeUndefined();
    await dialog.getByRole('button', { name: 'Start the drain' }).click();
  };
  await fillIn('3600');
  expect(await barriersAnywhere(page)).toEqual([]);
  await start();
  const closing = page.getByRole('region', { name: 'Drain in progress' });
  await closing.getByText('We update the mods').waitFor();
  await sign.getByText('Closing soon').waitFor();
  const clock = closing.getByRole('timer');
  const before = await clock.textContent();
  expect(before).toMatch(/^(?:1:00:00|59:\d\d)$/);
  await eventually(async () => (await clock.textContent()) !== before, {
    missing: () => 'the clock stands still',
  });
  expect(await barriersAnywhere(page)).toEqual([]);
  await closing.getByRole('button', { name: 'Let players in again' }).click();
  await closing.waitFor({ state: 'detached' });
  expect((await stage.farm.getStatus()).draining).toBeUndefined();

  await fillIn('0');
  await start();
  const stopped = page.getByRole('region', { name: 'The game is stopped' });
  await stopped.waitFor();
  await sign.getByText('Stopped', { exact: true }).waitFor();
  expect((await stage.farm.getStatus()).draining).toMatchObject({ phase: 'stopped' });
  await stopped.getByRole('button', { name: 'Start the game' }).click();
  await stopped.waitFor({ state: 'detached' });
  await bothCodes();
});

/** Once there are both: a game that has just started has none. */
function bothCodes(): Promise<readonly string[]> {
  return eventually(
    async () => {
      const { isJoinable, steamInviteCode, gogInviteCode } = await stage.farm.getStatus();
      return isJoinable && steamInviteCode && gogInviteCode ? [steamInviteCode, gogInviteCode] : undefined;
    },
    { missing: () => 'the farm has no invite codes' },
  );
}

it('both invite codes are shown, copied as they are, and the way to them step by step', async () => {
  const both = await bothCodes();
  const page = await stage.visit();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const codes = page.getByRole('region', { name: 'Invite codes' });
  for (const code of both) {
    const row = codes.getByRole('listitem').filter({ hasText: code });
    await row.getByRole('button', { name: /^Copy/ }).click();
    await row.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  }
  await codes.getByText('No problems.').click();
  await codes.getByText('Lobbies joined').waitFor();
  await page.context().close();
});

it('a chat goes both ways, and what is said while another view is shown is there, too', async () => {
  await stage.comes('Mia');
  const page = await stage.visit({ path: '/chat', isSameTab: true });
  await stage.order('say', 'Mia', 'who has seen the cat?');
  const log = page.getByRole('log');
  await log.getByText('who has seen the cat?').waitFor();
  await page.getByLabel('Your name').fill('Lewis');
  await page.getByLabel('What you say').fill('On the <b>barn</b>');
  await page.keyboard.press('Enter');
  await log.getByText('On the <b>barn</b>').waitFor();
  await page.getByText('On its way').waitFor({ state: 'detached' });
  const { operations } = await stage.farm.listOperations({ limit: 5 });
  expect(operations.find(({ command }) => command === 'sendChat')).toMatchObject({ state: 'applied' });
  await page.getByRole('navigation').getByRole('link', { name: 'Players' }).first().click();
  await page.getByRole('region', { name: 'On the farm now' }).waitFor();
  await stage.order('say', 'Mia', 'thank you');
  await page.getByRole('navigation').getByRole('link', { name: 'Chat' }).first().click();
  await log.getByText('thank you').waitFor();
  expect(await log.getByText('On the <b>barn</b>').count()).toBe(1);
  await page.getByLabel('Search the chat').fill('CAT');
  await page.getByText(/^1 of \d+ lines$/).waitFor();
  expect(await log.getByRole('listitem').count()).toBe(1);
  await stage.order('leave', 'Mia');
});

it('backups are made, downloaded whole, gone back to step by step, and deleted', async () => {
  const page = await stage.visit({ path: '/backups', isSameTab: true });
  await page.getByLabel('Note').fill('before <i>Zoe</i>');
  await page.getByText('Options').click();
  await page.getByLabel('Keep it forever').check();
  await page.getByRole('button', { name: 'Make it' }).click();
  const row = page.getByRole('row', { name: /before <i>Zoe<\/i>/ });
  await row.getByText('kept').waitFor();
  expect(await barriers(page)).toEqual([]);
  const { backups } = await stage.farm.listBackups();
  const made = backups.find(({ note }) => note === 'before <i>Zoe</i>');
  expect(made).toMatchObject({ keep: true, all: false });

  const coming = page.waitForEvent('download');
  await row.getByRole('button', { name: /^Download/ }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe(`${made?.id}.steward.tar.zst`);
  const bytes = readFileSync(await file.path());
  expect(bytes.length).toBe(made?.bytes);
  expect(bytes.readUInt32LE()).toBe(zstdMagic);

  const zoe = await stage.comes('Zoe');
  await stage.order('leave', 'Zoe');
  await stage.farm.saveGame({});
  await row.getByRole('button', { name: /^Restore/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Restore Spring/ });
  await dialog.getByLabel('the settings').check();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  const run = page.getByRole('region', { name: 'Restoring a backup' });
  await run.getByText('The farm is restored').waitFor();
  await page.getByText(/The backup is restored/).waitFor();
  expect((await farmhand(zoe))?.name ?? '').toBe('');
  // The way back from the way back.
  await page
    .getByRole('row', { name: /before a restore/ })
    .first()
    .waitFor();

  await row.getByRole('button', { name: /^Delete/ }).click();
  await page
    .getByRole('dialog', { name: 'Delete the backup before <i>Zoe</i>?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await row.waitFor({ state: 'detached' });
  const left = await stage.farm.listBackups();
  expect(left.backups.map(({ id }) => id)).not.toContain(made?.id);
});
