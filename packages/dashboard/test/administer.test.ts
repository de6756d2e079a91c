import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { steward } from '@steward/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StackStage } from './stage/stack-stage.ts';
import { answerTo, barriers, barriersAnywhere } from './stage/visitors.ts';

let stage: StackStage;
let page: Page;
/** A channel that takes what it is told, but for what goes to `/full`. */
const heard: string[] = [];
const channel = createServer(async (request, response) => {
  heard.push(await bodyOf(request));
  response.writeHead(request.url === '/full' ? 500 : 204).end();
});
let channelUrl: string;

beforeAll(async () => {
  await new Promise<void>((listening) => channel.listen(0, '127.0.0.1', listening));
  channelUrl = `http://127.0.0.1:${(channel.address() as AddressInfo).port}`;
  stage = await StackStage.open({ WEBHOOK_ALLOW: '127.0.0.1' });
  page = await stage.visit();
  await page.context().grantPermissions(['clipboard-read']);
});
afterAll(async () => {
  expect(stage.complaints).toEqual([]);
  await stage[Symbol.asyncDispose]();
  channel.close();
});

async function open(path: string): Promise<void> {
  await page.goto(`${stage.origin}${path}`);
  await page.getByRole('banner').getByText('Live').waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
}

/** Says yes to what is asked. */
async function isSure(question: string, verb: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: verb, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** What is shown this once, until somebody says that they have it. */
async function secretShown(title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  expect(await barriers(page)).toEqual([]);
  const secret = (await dialog.locator('.secret code').textContent()) ?? '';
  // As over plain HTTP, where there is no clipboard to write to.
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('Not allowed', 'NotAllowedError'));
  });
  await dialog.getByRole('button', { name: `Copy: ${title}` }).click();
  await dialog.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  // One slip is not to lose it.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await dialog.getByRole('button', { name: 'I have it' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  return secret;
}

async function whoIs(secret: string): Promise<unknown> {
  const answer = await fetch(`${stage.origin}/api/whoami`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  return answer.json();
}

describe('keys', () => {
  it('are made with what they are good for, their secret shown once; changed, and ended', async () => {
    await open('/keys');
    const make = page.getByRole('region', { name: 'Make a key' });
    await make.getByRole('checkbox', { name: 'read' }).uncheck();
    await make.getByRole('button', { name: 'Make a key' }).click();
    await make.getByText('It needs a name.').waitFor();
    await make.getByText('Tick at least one.').waitFor();
    await make.getByLabel('Name').fill('our bot');
    await make.getByRole('checkbox', { name: 'chat' }).check();
    await make.getByRole('checkbox', { name: 'operate' }).check();
    await make.getByLabel('Ends').selectOption('after a week');
    await make.getByRole('button', { name: 'Make a key' }).click();
    const secret = await secretShown('The key our bot');
    expect(await whoIs(secret)).toMatchObject({
      name: 'our bot',
      scopes: ['chat', 'operate'],
      expiresAt: expect.any(String),
    });

    const row = page.getByRole('row', { name: /our bot/ });
    await row.getByText('chat, operate').waitFor();
    await row.getByRole('button', { name: 'Rotate our bot' }).click();
    await isSure('Give our bot a new secret?', 'Rotate');
    const other = await secretShown('The key our bot');
    expect(other).not.toBe(secret);
    await row.getByText('Its old secret works until').waitFor();
    expect(await whoIs(secret)).toMatchObject({ name: 'our bot' });
    expect(await whoIs(other)).toMatchObject({ name: 'our bot' });

    await row.getByRole('button', { name: 'Revoke our bot' }).click();
    await isSure('Revoke our bot?', 'Revoke');
    await row.waitFor({ state: 'detached' });
    expect(await whoIs(other)).toMatchObject({ code: 'key-ended' });
    await page.getByLabel('Also show ended keys').check();
    await row.getByText('revoked').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
  });

  it('say why one was not made', async () => {
    await stage.farm.createKey({ name: 'taken', scopes: 'read' });
    await open('/keys');
    const make = page.getByRole('region', { name: 'Make a key' });
    await make.getByLabel('Name').fill('taken');
    await make.getByRole('button', { name: 'Make a key' }).click();
    const told = page.getByRole('status').getByText('Not done');
    await told.waitFor();
    expect(await make.getByLabel('Name').inputValue()).toBe('taken');
  });
});

describe('webhooks', () => {
  const named = (name: string) => page.getByRole('region', { name, exact: true });

  async function make(name: string, url: string, template: string): Promise<void> {
    const form = named('Create a webhook');
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Format').selectOption(template);
    await form.getByLabel('URL').fill(url);
    await form.getByRole('checkbox', { name: 'operations' }).check();
    await form.getByRole('button', { name: 'Create a webhook' }).click();
  }

  it('are made, tested, told of what happens, resumed and deleted', async () => {
    await open('/webhooks');
    await make('the program', 'not a url', 'standard');
    await page.getByText('It begins with https:// or http://.').waitFor();
    await make('the program', `${channelUrl}/all-of-it`, 'standard');
    expect(await secretShown('Signing key of the program')).toMatch(/^whsec_/);
    const hook = named('the program');
    await hook.getByText(/…f-it$/).waitFor();
    await hook.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('It was delivered: 204.').waitFor();
    await stage.farm.setRendering({ fps: 7 });
    const deliveries = named('Deliveries');
    await deliveries.getByText('operations.ended').first().waitFor();
    await deliveries.getByText('204, at once').first().waitFor();
    expect(heard.some((body) => body.includes('operations.ended'))).toBe(true);

    // It takes three days until one is switched off.
    await page.route('**/api/webhooks', async (route) => {
      const response = await answerTo(route);
      const { webhooks } = (await response.json()) as { webhooks: object[] };
      const reason = 'It answered 500 for three days';
      await route.fulfill({
        response,
        json: { webhooks: webhooks.map((each) => ({ ...each, state: 'off', reason })) },
      });
    });
    await open('/webhooks');
    await hook.getByText('switched off').waitFor();
    await hook.getByText('It answered 500 for three days').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await hook.getByRole('button', { name: 'Resume' }).click();
    await hook.getByText('works').waitFor();
    const { lines } = await stage.farm.getAudit({ action: 'resumeWebhook' });
    expect(lines.length).toBe(1);

    await hook.getByRole('button', { name: 'Delete' }).click();
    await isSure('Delete the program?', 'Delete');
    await hook.waitFor({ state: 'detached' });
    const { webhooks } = await stage.farm.listWebhooks();
    expect(webhooks.map(({ name }) => name)).not.toContain('the program');
  });

  it('say why what they were told did not arrive', async () => {
    await open('/webhooks');
    await make('full', `${channelUrl}/full`, 'discord');
    const hook = named('full');
    await hook.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^It was not delivered: .*500/).waitFor();
    expect(heard.length).toBeGreaterThan(0);
  });
});

it('pages through what was done and by whom, and finds what is looked for', async () => {
  // Whichever view was looked at before would show each of these.
  await page.goto(`${stage.origin}/icon.svg`);
  for (let fps = 1; fps <= 52; fps += 1) await stage.farm.setRendering({ fps });
  await open('/audit');
  const table = page.getByRole('table', { name: 'Who did what' });
  await table.getByText('fps=52', { exact: false }).waitFor();
  expect(await table.getByRole('row').count()).toBe(51);
  await page.getByRole('button', { name: 'Show older' }).click();
  await table.getByText('setRendering fps=1', { exact: true }).waitFor();
  // What is done meanwhile comes on top, and what is older stays.
  await stage.farm.setTime({ value: 1300 });
  await table.getByText('value=1300', { exact: false }).waitFor();
  await table.getByText('setRendering fps=1', { exact: true }).waitFor();

  await page.getByLabel('What', { exact: true }).fill('setTime');
  await page.getByLabel('Outcome').selectOption('done');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length < 5);
  await table.getByText('value=1300', { exact: false }).waitFor();
  await page.getByLabel('Who', { exact: true }).fill('nobody of that name');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('No matching entries').waitFor();
});

it('lets go of what came by itself to a list that stays open, and loads it again with no hole', async () => {
  let newest = 50;
  const gate = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route('**/api/audit?*', async (route) => {
    const before = new URL(route.request().url()).searchParams.get('before');
    if (before !== null && isHeld) await gate.promise;
    const first = before === null ? newest : Number(before) - 1;
    const lines = Array.from({ length: Math.min(50, first) }, (_, index) => ({
      ...{ number: first - index, at: '2026-11-22T10:00:00.000Z', actor: 'owner' },
      ...{ action: 'setTime', says: `line ${first - index}`, outcome: 'applied' },
    }));
    await route.fulfill({ json: { lines } });
  });
  await open('/audit');
  const table = page.getByRole('table', { name: 'Who did what' });
  const line = (number: number) => table.getByText(`line ${number}`, { exact: true });
  const rows = () => table.locator('tbody tr').count();
  const older = page.getByRole('button', { name: 'Show older' });
  const come = async (count: number) => {
    newest += count;
    await page.getByRole('button', { name: 'Find' }).click();
    await line(newest).waitFor();
  };
  await line(50).waitFor();
  for (let times = 0; times < 11; times += 1) await come(49);
  expect(await rows()).toBe(500);
  await line(90).waitFor();

  await older.click();
  await line(40).waitFor();
  await older.click();
  await line(1).waitFor();
  await older.waitFor({ state: 'detached' });
  // What somebody has asked for stays when more comes.
  await come(49);
  expect(await rows()).toBe(638);
  await line(1).waitFor();

  // More came than an answer has: the list begins again, here also while somebody waits for what is older.
  await come(100);
  expect(await rows()).toBe(50);
  isHeld = true;
  await older.click();
  await come(100);
  gate.resolve();
  await page.waitForFunction(() => document.querySelector('[data-busy]') === null);
  expect(await rows()).toBe(50);
  await older.click();
  await line(newest - 99).waitFor();
  expect(await rows()).toBe(100);
  await page.unrouteAll({ behavior: 'wait' });
});

it('looks again for the same words, as for what was denied meanwhile, of which no event tells', async () => {
  const key = await stage.farm.createKey({ name: 'only looks', scopes: 'read' });
  const still = await stage.visit({ path: '/audit' });
  await still.getByRole('banner').getByText('Live').waitFor();
  // Nothing that the farm does has it asked for by itself.
  await still.clock.install();
  await still.clock.pauseAt(Date.now() + 10_000);
  await still.getByLabel('Who', { exact: true }).fill('only looks');
  await still.getByLabel('Outcome').selectOption('denied');
  const found = still.waitForResponse('**/api/audit?*outcome=denied*');
  await still.getByRole('button', { name: 'Find' }).click();
  expect(await (await found).json()).toEqual({ lines: [] });
  const asItself = steward({ url: `${stage.origin}/api`, key: key.secret });
  await expect(asItself.setTime({ value: 1400 })).rejects.toMatchObject({ code: 'insufficient-scope' });
  const denied = async () => (await stage.farm.getAudit({ actor: 'only looks', outcome: 'denied' })).lines;
  await expect.poll(denied).toHaveLength(1);
  await still.getByRole('button', { name: 'Find' }).click();
  await still.getByRole('table').getByText('setTime').waitFor();
  await still.context().close();
});

it('shows operations as they end, with what each changed, and older ones when asked', async () => {
  await open('/operations');
  const table = page.getByRole('table', { name: 'Operations' });
  await stage.farm.setTime({ value: 1500 });
  await table.getByText('→ 1500').waitFor();
  await table.getByText('Set the time').first().waitFor();
  await stage.farm.deleteFarmhand({ name: 'Nobody' }).catch(() => {});
  await table.getByText('refused').first().waitFor();
  const { operations } = await stage.farm.listOperations({ limit: 1 });
  // Others may have been refused before.
  const newest = async () => (await table.locator('tbody code').allTextContents())[0];
  await expect.poll(newest).toBe(operations[0]?.operationId);
  // A drain whose game could not save is done, too.
  const lost = {
    ...operations[0],
    command: 'drain',
    state: 'applied',
    before: {},
    after: { isSaved: false },
  };
  await page.route('**/api/operations?*', (route) => route.fulfill({ json: { operations: [lost] } }));
  await open('/operations');
  await table.getByText('The farm was not saved: the day is lost').waitFor();
  await page.unroute('**/api/operations?*');
});

describe('each of these views', () => {
  it.each(['/keys', '/webhooks', '/audit', '/operations'])(
    '%s has no barrier, and nothing beside its window',
    async (path) => {
      await stage.farm.createKey({ name: `seen at ${path}`, scopes: 'read' });
      await stage.farm.createWebhook({
        name: `seen at ${path}`,
        url: `${channelUrl}/${'x'.repeat(200)}`,
        topics: 'chat',
      });
      await open(path);
      expect(await barriersAnywhere(page)).toEqual([]);
    },
  );
});

it('shows whatever somebody has written in each of these views as the text that it is', async () => {
  const { farm } = stage;
  const name = `"><img src=x onerror=globalThis.hit=true>'&lt;b`;
  const text = `${name} \u202egnp.exe`;
  // Only its host is shown, and the end of it.
  const url = `${channelUrl}/"><svg/onload=globalThis.hit=true><i>`;
  await farm.addBan({ address: '203.0.113.7', reason: text });
  await farm.createSchedule({ name, action: 'announce', message: text, cron: '0 5 * * *' });
  await farm.createKey({ name, scopes: 'read' });
  await farm.createWebhook({ name, url, topics: 'chat' });
  await farm.createBackup({ note: name });
  await farm.announce({ message: text });
  const [ban] = (await farm.listBans()).bans;
  const written = [
    ['/bans', ban?.reason ?? ''],
    ['/schedules', name],
    ['/schedules', text],
    ['/keys', name],
    ['/webhooks', name],
    ['/backups', name],
    ['/audit', text],
    ['/operations', name],
  ] as const;
  expect(ban?.reason).toContain(name);
  for (const [path, what] of written) {
    await open(path);
    const main = page.getByRole('main');
    expect(await main.textContent(), path).toContain(what);
    expect(await main.locator(':is(img, script, style, iframe, [onerror], [onload])').count(), path).toBe(0);
    expect(await page.evaluate(() => 'hit' in globalThis), path).toBe(false);
  }
  expect(stage.complaints).toEqual([]);
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  return (await request.toArray()).join('');
}
