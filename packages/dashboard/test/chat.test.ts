import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage } from './stage/page-stage.ts';
import { answerTo, barriers } from './stage/visitors.ts';

const many = 1_500;

let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open();
  stage.game.happens(...Array.from({ length: many }, (_, index) => said(`line ${index}.`)));
});
afterAll(async () => {
  expect(stage.complaints).toEqual([]);
  await stage[Symbol.asyncDispose]();
});

const long = ' which somebody said about parsnips, cats and the weather'.repeat(3);

/** Short ones and long ones, so that no two are sure to be as high. */
function said(message: string, index = message.length) {
  const text = index % 3 === 0 ? message + long : message;
  return { kind: 'chat', playerId: '5512', playerName: 'Ann', message: text };
}

const log = (page: Page) => page.getByRole('log');

/** How far from the upper edge of the chat a line stands. */
const placeOf = (page: Page, text: string) =>
  log(page).evaluate((box, wanted) => {
    const line = [...box.querySelectorAll('li')].find((each) => each.textContent?.includes(wanted));
    return line && Math.round(line.getBoundingClientRect().top - box.getBoundingClientRect().top);
  }, text);

/** The first line in sight; empty where none is drawn yet. */
const readLine = (page: Page) =>
  log(page).evaluate((box) => {
    const upper = box.getBoundingClientRect().top;
    const inSight = [...box.querySelectorAll('li')].find((each) => each.getBoundingClientRect().top >= upper);
    return /line \d+\./.exec(inSight?.textContent ?? '')?.[0] ?? '';
  });

it('shows the end of a long chat, goes back into it without moving what is read, and draws little of it', async () => {
  const page = await stage.visit({ path: '/chat', isSameTab: true });
  await log(page)
    .getByText(`line ${many - 1}.`)
    .waitFor();
  const fromEnd = () => log(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  await expect.poll(fromEnd).toBeLessThan(2);
  // What is asked for comes once it is known what is read meanwhile.
  const asked: (() => void)[] = [];
  await page.route(/before=/, async (route) => {
    await new Promise<void>((done) => asked.push(done));
    await route.continue();
  });
  const begin = page.getByText('The chat begins here.');
  const blocks = () => log(page).locator('ul').count();
  while ((await begin.count()) === 0) {
    const before = await blocks();
    await log(page).evaluate((box) => box.scrollTo({ top: 500 }));
    await expect.poll(() => asked.length).toBe(1);
    await expect.poll(() => readLine(page)).not.toBe('');
    const read = await readLine(page);
    const place = await placeOf(page, read);
    asked.pop()?.();
    await expect.poll(blocks).toBeGreaterThan(before);
    expect(Math.abs(((await placeOf(page, read)) ?? Number.NaN) - (place ?? 0))).toBeLessThan(2);
    expect(await log(page).getByRole('listitem').count()).toBeLessThan(200);
  }
  await log(page).evaluate((box) => box.scrollTo({ top: 0 }));
  await log(page).getByText('line 0.').waitFor();
  // Who reads what was said long ago stays there, and is told.
  stage.game.happens(said('something new'));
  await page.getByRole('button', { name: 'New lines' }).click();
  await log(page).getByText('something new').waitFor();
  await expect.poll(fromEnd).toBeLessThan(2);
  expect(await barriers(page)).toEqual([]);
});

it('has what was said after the chat was loaded and before the connection stood', async () => {
  const page = await stage.visit({ path: '/page' });
  await page.getByRole('banner').getByText('Live').waitFor();
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/ws$/, async (socket) => {
    await isFree;
    socket.connectToServer();
  });
  await page.goto(`${stage.origin}/chat`);
  await log(page).waitFor();
  stage.game.happens(said('said in between'));
  free();
  await log(page).getByText('said in between').waitFor();
  expect(await log(page).getByText('said in between').count()).toBe(1);
  await page.context().close();
});

it('says that older messages may be missing where the server says so, and not that the chat begins there', async () => {
  const page = await stage.visit({ path: '/page', isSameTab: true });
  await page.route(/events\?.*topics=chat/, async (route) => {
    const response = await answerTo(route);
    const answer = (await response.json()) as { readonly events: readonly unknown[] };
    const events = route.request().url().includes('before=') ? [] : answer.events.slice(-20);
    await route.fulfill({ response, json: { ...answer, events, gap: true } });
  });
  await page.goto(`${stage.origin}/chat`);
  await page.getByText('Older messages may be missing.').waitFor();
  expect(await page.getByText('The chat begins here.').count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
});

it('finds what was said long ago, further back than what was loaded', async () => {
  const page = await stage.visit({ path: '/chat', size: 'phone', isSameTab: true });
  await log(page)
    .getByText(`line ${many - 1}.`)
    .waitFor();
  await page.getByLabel('Search the chat').fill('line 17.');
  await page.getByText('No message matches').waitFor();
  const further = page.getByRole('button', { name: 'Show older messages' });
  await further.click();
  await page.getByText('0 of 1200 lines').waitFor();
  await further.click();
  // Other tests may have said one more each.
  await page.getByText(/^1 of 150[0-2] lines$/).waitFor();
  expect(await further.count()).toBe(0);
  await log(page).getByText('line 17.').waitFor();
  expect(await log(page).getByRole('listitem').count()).toBe(1);
  expect(await barriers(page)).toEqual([]);
  await page.getByLabel('Search the chat').fill('');
  await log(page)
    .getByText(`line ${many - 1}.`)
    .waitFor();
});

it('takes lines that were never drawn to be about as high as others, also where those were heard one by one', async () => {
  await using own = await PageStage.open();
  const happen = (what: string, first: number, end: number) => {
    const texts = Array.from({ length: end - first }, (_, index) => `${what} ${first + index}.`);
    own.game.happens(...texts.map((text) => said(text)));
  };
  happen('line', 0, 400);
  const page = await own.visit({ path: '/chat' });
  const last = log(page).getByText('line 399.');
  await last.waitFor();
  // Now all of them are the past, and half of them are not loaded.
  await page.reload();
  await last.waitFor();
  await page.getByRole('banner').getByText('Live').waitFor();
  const hear = async (first: number, end: number) => {
    happen('heard', first, end);
    await log(page)
      .getByText(`heard ${end - 1}.`)
      .waitFor();
  };
  // Lines that are drawn together begin with one.
  for (const first of [0, 20, 40, 60]) {
    await hear(first, first + 1);
    await hear(first + 1, first + 20);
  }
  const blocks = log(page).locator('ul');
  const before = await blocks.count();
  // They go out of sight before those come that are taken to be as high.
  const { promise: areOut, resolve: mayCome } = Promise.withResolvers<void>();
  await page.route(/before=/, async (route) => {
    await areOut;
    await route.continue();
  });
  const scrolledTo = async <What>(top: number, look: () => Promise<What>) => {
    await log(page).evaluate((box, to) => box.scrollTo({ top: to }), top);
    return await look();
  };
  const lastDrawn = () => blocks.last().locator('li').count();
  // Once more, when all heights on the way are known: what was heard goes out of sight last.
  for (const _ of ['at first', 'again']) {
    await expect.poll(() => scrolledTo(1_000_000, lastDrawn)).toBeGreaterThan(0);
    await expect.poll(() => scrolledTo(0, lastDrawn)).toBe(0);
  }
  mayCome();
  await expect.poll(() => scrolledTo(0, () => blocks.count())).toBeGreaterThan(before);
  await expect.poll(() => readLine(page)).not.toBe('');
  const sizes = await blocks.evaluateAll((all) =>
    all.map(({ childElementCount: lines, clientHeight: px }) => ({ lines, px })),
  );
  const highest = (some: typeof sizes) => Math.max(...some.map(({ px }) => px));
  const [drawn, undrawn] = [sizes.filter(({ lines }) => lines > 0), sizes.filter(({ lines }) => lines === 0)];
  expect(highest(undrawn)).toBeLessThan(3 * highest(drawn));
  await page.context().close();
});

it('has what comes read out to whom is at the end, and not what is drawn again as one goes back', async () => {
  const page = await stage.visit({ path: '/chat', isSameTab: true });
  await log(page)
    .getByText(`line ${many - 1}.`)
    .waitFor();
  const liveAt = (end: 'top' | 'bottom') =>
    log(page).evaluate((box, where) => {
      box.scrollTo({ top: where === 'top' ? 1_000 : box.scrollHeight });
      return box.getAttribute('aria-live');
    }, end);
  await expect.poll(() => liveAt('top')).toBe('off');
  await expect.poll(() => liveAt('bottom')).toBe('polite');
});
