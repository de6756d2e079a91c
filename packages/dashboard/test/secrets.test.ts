import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage, testKey } from './stage/page-stage.ts';
import { answerTo } from './stage/visitors.ts';

let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open({ key: testKey });
});
afterAll(() => stage[Symbol.asyncDispose]());

/** At the keys, by way of the start page. */
async function atKeys(): Promise<Page> {
  const page = await stage.visit({ path: `/#${new URLSearchParams({ key: testKey })}`, isSameTab: true });
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  return page;
}

async function make(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Make a key' }).click();
}

/** What is shown this once; whoever has it closes it. */
async function taken(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: `The key ${name}` });
  await dialog.waitFor();
  const secret = (await dialog.locator('.secret code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

it('stays in sight until somebody has it, also where the browser goes back', async () => {
  const page = await atKeys();
  await make(page, 'a bot');
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.locator('main h1').getByText('Meadow').waitFor();
  expect(await taken(page, 'a bot')).toMatch(/^\S{16,}$/);
});

it('is said to be lost where the answer that had it was, with what to do', async () => {
  const page = await atKeys();
  await make(page, 'a lamp');
  await taken(page, 'a lamp');
  let tries = 0;
  await page.route('**/api/keys/rotate?*', async (route) => {
    tries += 1;
    if (tries > 1) await route.continue();
    else {
      await answerTo(route);
      await route.abort();
    }
  });
  await page.getByRole('button', { name: 'Rotate a lamp' }).click();
  const question = page.getByRole('dialog', { name: 'Give a lamp a new secret?' });
  await question.getByRole('button', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog', { name: 'The key a lamp' });
  await dialog.getByText('Rotate this key').waitFor();
  expect(tries).toBe(2);
  expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Dismiss']);
  expect(await dialog.locator('.secret').count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await dialog.waitFor({ state: 'detached' });
});

it('is shown also to who has left the view while it was made, one after the other', async () => {
  const page = await atKeys();
  const answers: (() => void)[] = [];
  await page.route('**/api/keys?*', async (route) => {
    await new Promise<void>((answer) => answers.push(answer));
    await route.continue();
  });
  for (const [index, name] of ['one', 'two'].entries()) {
    await make(page, name);
    await expect.poll(() => answers.length).toBe(index + 1);
    await page.getByRole('link', { name: 'The farm now' }).click();
    await page.getByRole('link', { name: 'Keys' }).click();
  }
  answers[0]?.();
  await page.getByRole('dialog', { name: 'The key one' }).waitFor();
  answers[1]?.();
  const secrets = [await taken(page, 'one'), await taken(page, 'two')];
  expect(new Set(secrets).size).toBe(2);
  expect(stage.complaints).toEqual([]);
});
