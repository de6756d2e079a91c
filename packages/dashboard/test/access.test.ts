import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage } from './stage/page-stage.ts';
import { barriers, barriersAnywhere, heading } from './stage/visitors.ts';

let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open();
  stage.game.state.players = [{ id: '5512', name: 'Ann', connectionId: 'L_1', isAdmin: true }];
  stage.game.tell();
});
afterAll(() => stage[Symbol.asyncDispose]());

const paths = ['/', '/players', '/players/5512', '/chat', '/backups', '/page', '/nowhere'];

async function stands(page: Page): Promise<void> {
  await page.getByRole('banner').getByText('Live').waitFor();
  await page.locator('main h1').waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
}

it.each(paths)('has no barrier, and nothing beside its window: %s', async (path) => {
  const page = await stage.visit({ path, size: 'phone', isSameTab: true });
  await stands(page);
  expect(await barriersAnywhere(page)).toEqual([]);
  expect(stage.complaints).toEqual([]);
});

it('is gone through by keys alone: the content, every view, back', async () => {
  const page = await stage.visit({ isSameTab: true });
  await stands(page);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  const links = page.getByRole('navigation').getByRole('link');
  await links.last().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${stage.origin}/page`);
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  expect(await heading(page)).toBe('This page');
  expect(await page.title()).toContain('This page');
  await page.goBack();
  await page.getByRole('heading', { name: 'Meadow' }).waitFor();
});

it('has on a phone the nearest views at the edge, and all of them behind one more button', async () => {
  const page = await stage.visit({ size: 'phone', isSameTab: true });
  await stands(page);
  const more = page.getByRole('button', { name: 'More' });
  await more.click();
  const sheet = page.getByRole('dialog');
  await sheet.waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('More');
  await more.click();
  await sheet.getByRole('link', { name: 'This page' }).click();
  await page.waitForURL(`${stage.origin}/page`);
  await sheet.waitFor({ state: 'detached' });
});

it('has each new message read out alone, and not again those that are still there', async () => {
  const page = await stage.visit({ isSameTab: true });
  await stands(page);
  const messages = page.locator('.toasts');
  await messages.waitFor({ state: 'attached' });
  expect(await messages.getAttribute('aria-atomic')).toBe('false');
});

it('moves nothing while it loads', async () => {
  const page = await stage.visit({ path: '/page' });
  await page.addInitScript(() => {
    Object.assign(globalThis, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(globalThis, {
          moved:
            (globalThis as unknown as { moved: number }).moved +
            (entry as unknown as { value: number }).value,
        });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(stage.origin);
  await stands(page);
  const moved = await page.evaluate(() => (globalThis as unknown as { moved: number }).moved);
  // What Chromium calls good is below 0.1.
  expect(moved).toBeLessThan(0.05);
  await page.context().close();
});
