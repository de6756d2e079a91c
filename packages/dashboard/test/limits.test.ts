import { StewardError, steward } from '@steward/client';
import { slot } from '@steward/testing/game/empty-farm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageStage, testKey } from './stage/page-stage.ts';

/** A game that does not much, and keys that are good for little. */
let stage: PageStage;
beforeAll(async () => {
  stage = await PageStage.open({ key: testKey, capabilities: ['setTime', 'stop'] });
  stage.game.state.players = [{ id: '5512', name: 'Ann', connectionId: 'L_1', isAdmin: false }];
  stage.game.state.farmhands = [
    { ...slot('5512', 'Ann'), isOnline: true },
    slot('77', 'Mia'),
    slot('78', 'Bo'),
    { ...slot('79', 'Zoe'), isAdmin: true },
  ];
  stage.game.tell();
});
afterAll(async () => {
  expect(stage.complaints).toEqual([]);
  await stage[Symbol.asyncDispose]();
});

const owner = () => steward({ url: `${stage.origin}/api`, key: testKey });

/** Visits with a key that is good for that alone. */
async function visit(path: string, scopes?: string, isSameTab = true) {
  const key = scopes === undefined ? testKey : (await owner().createKey({ name: scopes, scopes })).secret;
  return stage.visit({ path: `${path}#${new URLSearchParams({ key: key ?? '' })}`, isSameTab });
}

it('says what this game cannot, and offers what the server does without it', async () => {
  const page = await visit('/players/77');
  await page.getByRole('heading', { name: 'Mia' }).waitFor();
  const deeds = page.getByRole('region', { name: 'What you can do' }).getByRole('listitem');
  await deeds.filter({ hasText: 'Make admin' }).getByText('This game cannot do that.').waitFor();
  await deeds.filter({ hasText: 'Delete' }).getByText('This game cannot do that.').waitFor();
  expect(await deeds.filter({ hasText: 'Release' }).getByRole('button').count()).toBe(1);
  await page.getByRole('link', { name: 'Chat' }).first().click();
  await page.getByText('This game cannot show messages from here.').waitFor();
  await page.getByRole('link', { name: 'Backups' }).first().click();
  await page.getByText('set BACKUP_DIR and GAME_SAVES_DIR').waitFor();
});

it('offers who may only read no deed, and no farmhand', async () => {
  const page = await visit('/players', 'read');
  await page.getByRole('link', { name: /Ann/ }).click();
  await page.getByRole('heading', { name: 'Ann' }).waitFor();
  expect(await page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Copy']);
  await page.getByRole('link', { name: 'Chat' }).first().click();
  await page.getByLabel('Search the chat').waitFor();
  expect(await page.getByLabel('What you say').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Bans and allowlist' }).count()).toBe(0);
  await page.getByRole('link', { name: 'The farm now' }).first().click();
  await page.getByRole('region', { name: 'Latest events' }).waitFor();
  expect(await page.getByText('Message to everybody').count()).toBe(0);
});

it('says that the lists cannot be read, and shows them once they can', async () => {
  stage.edit('bans.json', 'half a f');
  await expect(owner().listBans()).rejects.toMatchObject({ code: 'bans-unreadable' });
  const page = await visit('/page');
  // From there on nothing is asked for anew by itself.
  await page.getByRole('banner').getByText('Live').waitFor();
  await page.getByRole('link', { name: 'Bans and allowlist' }).first().click();
  const bans = page.getByRole('region', { name: 'Banned players' });
  await bans.getByText(/bans\.json is not a list of bans.*Fix it/).waitFor();
  await page
    .getByRole('region', { name: 'Allowlist' })
    .getByText(/Fix it/)
    .waitFor();
  stage.edit('bans.json');
  await bans.getByRole('button', { name: 'Try again' }).click();
  await bans.getByText('Nobody is banned').waitFor();
});

it('says of a game that sends nobody away and shows no line that it does not', async () => {
  const page = await visit('/players/5512');
  const deeds = page.getByRole('region', { name: 'What you can do' }).getByRole('listitem');
  await deeds.filter({ hasText: 'Kick' }).getByText('This game cannot do that.').waitFor();
  await page.getByRole('link', { name: 'The farm now' }).first().click();
  await page.getByRole('region', { name: 'On your phone' }).scrollIntoViewIfNeeded();
  const everybody = page.getByRole('region', { name: 'Message to everybody' });
  await everybody.getByText('The game or its mod does not support it.').waitFor();
  expect(await everybody.getByLabel('Message from the server').count()).toBe(0);
});

it('has an operation that has only begun among the others, for who comes back to them and for who looks', async () => {
  await owner().createKey({ name: 'before it', scopes: 'read' });
  const page = await visit('/page');
  // From there on nothing is asked for anew by itself: this game shows no warning, whose end would be told.
  await page.getByRole('banner').getByText('Live').waitFor();
  const go = (view: string) => page.getByRole('link', { name: view, exact: true }).first().click();
  await go('Operations');
  await page.getByText('Made a key').first().waitFor();
  await go('The farm now');
  await owner().startDrain({ when: 'empty' });
  await page.getByText('Closing soon', { exact: true }).waitFor();
  await go('Operations');
  const begun = page.getByRole('row', { name: /Started a drain.*under way/ });
  await begun.waitFor();
  await owner().cancelDrain();
  await page.getByRole('row', { name: /Let players in again.*done/ }).waitFor();
  await begun.waitFor({ state: 'detached' });
  await owner().startDrain({ when: 'empty' });
  await begun.waitFor();
  await owner().cancelDrain();
  await begun.waitFor({ state: 'detached' });
  expect(await page.getByRole('row', { name: /Started a drain.*not carried out/ }).count()).toBe(2);
});

it('shows farmhands to who may only moderate, and the chat to who may only chat', async () => {
  const moderator = await visit('/players', 'moderate');
  await moderator.getByRole('region', { name: 'Farmhands' }).getByRole('link', { name: /Mia/ }).click();
  await moderator.getByRole('heading', { name: 'Mia' }).waitFor();
  expect(await moderator.getByText('Make admin').count()).toBe(0);
  const deeds = () =>
    moderator.getByRole('region', { name: 'What you can do' }).getByRole('heading', { level: 3 });
  const ofMia = await deeds().allInnerTexts();
  // Whoever got hers would be an admin.
  await moderator.getByRole('link', { name: 'Players' }).first().click();
  await moderator.getByRole('link', { name: /Zoe/ }).click();
  await moderator.getByRole('heading', { name: 'Zoe' }).waitFor();
  const given = ['Give to another identity', 'Release'];
  expect(ofMia).toEqual(expect.arrayContaining(given));
  expect(await deeds().allInnerTexts()).toEqual(ofMia.filter((title) => !given.includes(title)));
  const chatter = await visit('/chat', 'chat');
  stage.game.happens({ kind: 'chat', playerId: '5512', playerName: 'Ann', message: 'good morning' });
  await chatter.getByRole('log').getByText('good morning').waitFor();
  await chatter.getByLabel('What you say').fill('hello');
  await chatter.keyboard.press('Enter');
  // What came of it stands beside it.
  await chatter.getByText(/^Not shown: /).waitFor();
});

it('says why something could not be loaded, and loads it when it is asked again', async () => {
  const page = await visit('/page', undefined, false);
  await page.getByText('the owner, with API_KEY').waitFor();
  // Nothing that happens has it asked again meanwhile.
  let isQuiet = false;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer().onMessage((message) => isQuiet || socket.send(message));
  });
  await page.reload();
  await page.getByRole('banner').getByText('Live').waitFor();
  isQuiet = true;
  await page.route('**/api/farmhands', (route) => route.abort());
  await page.route('**/api/players', (route) => route.abort());
  await page.getByRole('link', { name: 'Players' }).first().click();
  const regions = ['On the farm now', 'Farmhands'].map((name) => page.getByRole('region', { name }));
  // Each is tried twice before it says so.
  for (const region of regions) await region.getByText('This could not be loaded').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByRole('link', { name: /Mia/ }).waitFor();
  await page.getByRole('link', { name: /Ann/ }).waitFor();
  expect(await page.getByText('This could not be loaded').count()).toBe(0);
  await page.context().close();
});

it('takes farmhands that could not be loaded neither for none nor for gone', async () => {
  const page = await visit('/chat');
  await page.route('**/api/farmhands', (route) => route.abort());
  await page.getByRole('link', { name: 'Players' }).first().click();
  await page.getByRole('link', { name: /Ann/ }).waitFor();
  const farmhands = page.getByRole('region', { name: 'Farmhands' });
  await farmhands.getByText('This could not be loaded').waitFor();
  expect(await page.getByText('Everybody is online').count()).toBe(0);
  await page.evaluate(() => history.pushState({}, '', '/players/77'));
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  await page.getByText('This could not be loaded').waitFor();
  expect(await page.getByText('There is no such player').count()).toBe(0);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Mia' }).waitFor();
});

it('closes no question by the second press of a double click that opened it', async () => {
  const page = await visit('/players/77', undefined, false);
  const release = page.getByRole('button', { name: 'Release' });
  await release.waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const dialog = page.getByRole('dialog', { name: 'Release Mia?' });
  await release.click();
  await page.clock.runFor(100);
  await dialog.waitFor();
  await page.mouse.click(3, 3);
  expect(await dialog.isVisible()).toBe(true);
  await page.clock.runFor(500);
  await page.mouse.click(3, 3);
  await dialog.waitFor({ state: 'detached' });
  await page.context().close();
});

it('leaves nobody in doubt of a deed where it only asked what that would do', async () => {
  const page = await visit('/bans');
  const problem = { type: 'about:blank', title: 'Internal error', status: 500, code: 'internal-error' };
  const json = { ...problem, detail: 'A bug in the server', requestId: 'r-1' };
  await page.route(/bans\/import/, (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', json }),
  );
  const bans = page.getByRole('region', { name: 'Banned players' });
  await bans.getByText('Bring a list from elsewhere').click();
  await bans.getByLabel('The list').fill('76561198000000007');
  await bans.getByRole('button', { name: 'Import them' }).click();
  await page.getByRole('status').getByText('A bug in the server').waitFor();
  await page.getByRole('status').getByText('Not done').waitFor();
  expect(await page.getByText('It is unknown whether it was done').count()).toBe(0);
});

it('says why a deed was not done, and by which operation', async () => {
  const page = await visit('/players/78');
  await page.getByRole('button', { name: 'Release' }).click();
  stage.game.state.farmhands = stage.game.state.farmhands.filter(({ id }) => id !== '78');
  stage.game.tell();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await page.getByRole('status').getByText('Not done').waitFor();
  await page.getByText('There is no such player').waitFor();
  await expect(owner().releaseFarmhand({ playerId: '78' })).rejects.toThrow(StewardError);
});
