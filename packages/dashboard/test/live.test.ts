import { pagePatienceMs } from '@steward/testing/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage } from './stage/page-stage.ts';
import { answerTo, serveNewer, standsLive } from './stage/visitors.ts';

let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** What a page may take for it, from the server's word on; the server itself gathers for 100 ms what changes together. */
const shownWithinMs = 300;
const gatheredMs = 100;
const tries = 7;
/** A tab that begins leads where none has said by then that it does. */
const leadsAfterMs = 150;

/** The farm gets another name; how long it takes until each page shows it. */
async function rename(pages: readonly Awaited<ReturnType<PageStage['visit']>>[], name: string) {
  const shown = pages.map((page) =>
    page.waitForFunction((wanted) => document.querySelector('main h1')?.textContent === wanted, name),
  );
  const from = performance.now();
  stage.game.state.status.farmName = name;
  stage.game.tell();
  await Promise.all(shown);
  return performance.now() - from;
}

/** A page whose clock stands becomes live; how much time passed by that, in such steps. */
async function liveByItsClock(page: Page, stepMs: number): Promise<number> {
  const live = page.getByRole('banner').getByText('Live');
  let ms = 0;
  await expect
    .poll(
      async () => {
        await page.clock.runFor(stepMs);
        ms += stepMs;
        return await live.count();
      },
      { timeout: pagePatienceMs },
    )
    .toBe(1);
  return ms;
}

it('shows each change within 300 ms, in all tabs, over one connection', async () => {
  const first = await stage.visit({ path: '/icon.svg' });
  const { clock } = first.context();
  // That of all its tabs: where the machine stands still no time passes in which one that leads should have said so.
  await clock.install();
  await clock.pauseAt(Date.now() + 60_000);
  await first.goto(stage.origin);
  await liveByItsClock(first, 10);
  const sockets: string[] = [];
  first.context().on('page', (page) => page.on('websocket', (socket) => sockets.push(socket.url())));
  const second = await stage.visit({ beside: first.context() });
  expect(await liveByItsClock(second, 1)).toBeLessThan(leadsAfterMs);
  expect(sockets).toEqual([]);
  await clock.resume();
  const took: number[] = [];
  for (let index = 0; index < tries; index += 1) took.push(await rename([first, second], `Farm ${index}`));
  // One quiet moment is enough on a machine that does much else.
  expect(Math.min(...took)).toBeLessThan(shownWithinMs + gatheredMs);
  expect(sockets).toEqual([]);
  // Whoever led is gone, and nobody says so who was closed like that.
  await first.close();
  await second.waitForEvent('websocket');
  await second.getByRole('banner').getByText('Live').waitFor();
  await rename([second], 'Of the second');
  await second.context().close();
});

it('is led by another tab where the one that leads sleeps, and by one alone when it wakes', async () => {
  const first = await stage.visit();
  await first.getByRole('banner').getByText('Live').waitFor();
  const second = await stage.visit({ beside: first.context() });
  await second.getByRole('banner').getByText('Live').waitFor();
  const life = await first.context().newCDPSession(first);
  const isTaken = second.waitForEvent('websocket');
  // As good as asleep: it answers nobody.
  await life.send('Debugger.enable');
  await life.send('Debugger.pause');
  await isTaken;
  await rename([second], 'While one sleeps');
  await life.send('Debugger.disable');
  expect(await rename([first, second], 'Both awake')).toBeGreaterThan(0);
  await first.context().close();
});

it('tries at once where somebody asks for it, also in a tab that another one leads', async () => {
  const first = await stage.visit({ path: '/icon.svg' });
  const { clock } = first.context();
  await clock.install();
  await first.goto(stage.origin);
  await first.getByRole('banner').getByText('Live').waitFor();
  const second = await stage.visit({ beside: first.context() });
  // What says so is asked for in a frame, and frames are the clock's.
  await standsLive(second);
  // From here on no time passes in which they would try by themselves.
  await clock.pauseAt(Date.now() + 10_000);
  await stage.stop();
  const again = second.getByRole('button', { name: 'Try now' });
  await again.waitFor();
  await stage.start();
  await again.click();
  for (const page of [first, second]) {
    await page.getByRole('banner').getByText('Live').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  }
  await first.context().close();
});

it('says plainly that the server is away, and goes on by itself when it is back', async () => {
  const page = await stage.visit({ isSameTab: true });
  await standsLive(page);
  await stage.stop();
  await page.getByRole('alert').getByText('The server is restarting').waitFor();
  // How long ago that was is not read out each minute.
  expect(await page.getByRole('alert').locator('time').count()).toBe(0);
  expect(await page.locator('.notice time').count()).toBe(1);
  // What was known stays in sight.
  expect(await page.locator('main h1').textContent()).not.toBe('');
  stage.game.state.status.farmName = 'After the restart';
  await stage.start();
  await page.getByRole('heading', { name: 'After the restart' }).waitFor();
  await page.getByRole('banner').getByText('Live').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await rename([page], 'And on');
  expect(stage.complaints).toEqual([]);
});

it('is live once it is back from where it heard nothing of a restart, though it is told of the stop then', async () => {
  const page = await stage.visit({ path: '/page' });
  let isHeard = true;
  let sockets = 0;
  await page.routeWebSocket('**/ws', (socket) => {
    sockets += 1;
    const server = socket.connectToServer();
    server.onMessage((message) => isHeard && socket.send(message));
  });
  await page.goto(`${stage.origin}/`);
  await standsLive(page);
  isHeard = false;
  await stage.stop();
  await page.getByRole('alert').getByText('You see the last known state').waitFor();
  isHeard = true;
  await stage.start();
  await rename([page], 'Behind the tunnel');
  await page.getByRole('banner').getByText('Live').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(sockets).toBeGreaterThan(1);
  await page.context().close();
});

/** The server is away the first time that what comes soon is asked for, its code or its styles; returns how often it was. */
async function losingFirst(page: Page, what: 'js' | 'css'): Promise<() => number> {
  let asked = 0;
  await page.route(`**/assets/soon*.${what}`, async (route) => {
    asked += 1;
    if (asked === 1) await route.abort('connectionrefused');
    else await route.continue();
  });
  return () => asked;
}

it('begins again by itself where the server went while it loaded what follows events', async () => {
  const page = await stage.visit({ path: '/page' });
  const asked = await losingFirst(page, 'js');
  await page.goto(`${stage.origin}/`);
  await page.getByRole('banner').getByText('Live').waitFor();
  expect(asked()).toBeGreaterThan(0);
  await page.context().close();
});

it('has all its parts also in a tab that could not load them at first', async () => {
  const first = await stage.visit();
  await first.getByRole('banner').getByText('Live').waitFor();
  const page = await stage.visit({ path: '/icon.svg', beside: first.context() });
  const asked = await losingFirst(page, 'js');
  await page.goto(`${stage.origin}/`);
  await page.getByRole('region', { name: 'Latest events' }).waitFor();
  // This farm has no way in.
  await page.getByRole('region', { name: 'What keeps players out' }).waitFor();
  expect(asked()).toBeGreaterThan(1);
  await standsLive(page);
  await stage.stop();
  await page.getByRole('alert').getByText('The server is restarting').waitFor();
  await stage.start();
  await page.getByRole('banner').getByText('Live').waitFor();
  await page.context().close();
});

it('has the styles of its parts also in a tab that could not load them at first', async () => {
  const first = await stage.visit();
  await first.getByRole('banner').getByText('Live').waitFor();
  const page = await stage.visit({ path: '/icon.svg', beside: first.context() });
  const asked = await losingFirst(page, 'css');
  await page.goto(`${stage.origin}/`);
  const place = () =>
    page.locator('.toasts').evaluate((element) => getComputedStyle(element).getPropertyValue('position'));
  await expect.poll(place).toBe('fixed');
  expect(asked()).toBeGreaterThan(1);
  await page.context().close();
});

it('offers to reload itself where the server is another version now', async () => {
  const page = await stage.visit({ path: '/chat', size: 'phone', isSameTab: true });
  await page.getByRole('banner').getByText('Live').waitFor();
  await serveNewer(page, stage.origin);
  await stage.stop();
  await stage.start();
  await page.getByText('The server is now version 99.0.0').waitFor();
  expect(await page.getByRole('button', { name: 'Reload the page' }).count()).toBe(1);
  // When it suits: what stands at the top and at the lower edge of the view can be used until then, without a scroll.
  await page.getByRole('searchbox').click();
  const send = await page.getByRole('button', { name: 'Say it' }).boundingBox();
  const edge = await page.getByRole('navigation').last().boundingBox();
  expect(page.viewportSize()?.height).toBe(844);
  expect((send?.y ?? 844) + (send?.height ?? 0)).toBeLessThan(edge?.y ?? 0);
});

it('offers to reload itself also where the server has another page of the same version, until it has this one again', async () => {
  const page = await stage.visit({ path: '/page', isSameTab: true });
  await page.getByRole('banner').getByText('Live').waitFor();
  await page.route(`${stage.origin}/`, async (route) => {
    const response = await answerTo(route);
    const body = (await response.text()).replaceAll('/assets/', '/assets/another-');
    await route.fulfill({ response, body });
  });
  const restart = async () => {
    await stage.stop();
    await stage.start();
  };
  await restart();
  const notice = page.getByText('The server has another version of this page now.');
  await notice.waitFor();
  expect(await page.getByRole('button', { name: 'Reload the page' }).count()).toBe(1);
  await page.unrouteAll({ behavior: 'wait' });
  await restart();
  await notice.waitFor({ state: 'detached' });
});

it('shows who comes, by which way, and what happened', async () => {
  const page = await stage.visit({ isSameTab: true });
  await page.getByText('Nobody is on the farm.').waitFor();
  const ann = { id: '5512', name: 'Ann', connectionId: 'L_1', isAdmin: false };
  stage.game.state.players = [ann];
  stage.game.state.status.playerCount = 1;
  stage.game.happens({
    kind: 'playerJoined',
    playerId: ann.id,
    playerName: ann.name,
    connectionId: ann.connectionId,
  });
  stage.game.tell();
  const here = page.getByRole('region', { name: 'Who is here' });
  await here.getByText('Ann', { exact: true }).waitFor();
  await here.getByText('address').waitFor();
  expect(await here.getByRole('listitem').count()).toBe(1);
  // Of one whom nobody saw come, nothing is said of the way.
  stage.game.state.players = [ann, { id: '5513', name: 'Bob', connectionId: 'L_2', isAdmin: true }];
  stage.game.tell();
  await here.getByText('admin', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Latest events' }).getByText('Ann came').waitFor();
});
