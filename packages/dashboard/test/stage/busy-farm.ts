import { join } from 'node:path';
import { steward } from '@steward/client';
import { prepareDatabase } from '@steward/control-api/store/prepare-database';
import { sampleWriter } from '@steward/control-api/store/tables/samples';
import { eventually } from '@steward/testing/eventually';
import { slot } from '@steward/testing/game/empty-farm';
import type { Page } from 'playwright-core';
import { PageStage } from './page-stage.ts';

export const busy = { players: 200, farmhands: 300, lines: 10_000, days: 400 } as const;

const minuteMs = 60_000;
const minutesOfAnHour = 60;
const minutesOfADay = 24 * minutesOfAnHour;
/** As many as the API gives at once. */
const mostEvents = 1_000;

/** A farm with many players, a long chat, and more than a year of measurements. */
export async function busyFarm(lines: number = busy.lines): Promise<PageStage> {
  const now = Math.floor(Date.now() / minuteMs);
  const stage = await PageStage.open({
    fill: (directory) => fillSamples(join(directory, 'steward.db'), now),
  });
  const { game } = stage;
  const farmhands = Array.from({ length: busy.farmhands }, (_, index) => ({
    ...slot(String(1_000 + index), `Player ${index}`),
    isOnline: index < busy.players,
  }));
  const players = farmhands
    .slice(0, busy.players)
    .map(({ id, name }, index) => ({ id, name, connectionId: `L_${index}`, isAdmin: false }));
  Object.assign(game.state, { players, farmhands });
  game.tell();
  const { getEvents } = steward({ url: `${stage.origin}/api` });
  for (let told = 0; told < lines; told += mostEvents) {
    for (let index = told; index < told + mostEvents; index += 1)
      says(stage, index, `Line ${index}: ${'who waters the parsnips today? '.repeat(index % 4)}`);
    const last = `Line ${told + mostEvents - 1}:`;
    await eventually(
      async () => {
        const { events } = await getEvents({ topics: 'chat', limit: 1 });
        return events.some((event) => event.type === 'chat.said' && event.data.message.startsWith(last));
      },
      { missing: () => `${last} is not in the chat` },
    );
  }
  return stage;
}

/** What each minute of the last day was, and one of each hour before. */
function fillSamples(path: string, before: number): void {
  const found = prepareDatabase({ path, journal: 'wal', now: () => new Date() });
  if (found.kind === 'newer') throw new Error(found.reason);
  using database = found.database;
  const writer = sampleWriter(database);
  const lastDay = before - minutesOfADay;
  database.exec('begin');
  for (
    let minute = before - busy.days * minutesOfADay;
    minute < before;
    minute += minute < lastDay ? minutesOfAnHour : 1
  )
    writer.keep({
      ...{ kind: 'sample', minute, players: Math.floor(minute / 97) % busy.players },
      ...{ ticks: 5_900 + (minute % 113), tickGapMs: 1_000 + ((minute * 31) % 300) },
      ...{
        bridgeLatencyMs: 12 + ((minute * 17) % 90),
        serviceMemoryMb: 88,
        gameMemoryMb: 700 + (minute % 900),
      },
    });
  database.exec('commit');
}

function says({ game }: PageStage, index: number, message: string): void {
  const player = index % busy.players;
  const [playerId, playerName] = [String(1_000 + player), `Player ${player}`];
  game.happens({ kind: 'chat', playerId, playerName, message });
}

type Gesture = (page: Page, stage: PageStage) => Promise<unknown>;

const open = (view: string, shown: string) => async (page: Page) => {
  await page.getByRole('navigation').getByRole('link', { name: view, exact: true }).first().click();
  await page.locator(shown).last().waitFor({ state: 'attached' });
  await stands(page);
};

const scroll = (times: number, px: number) => async (page: Page) => {
  await page.mouse.move(700, 500);
  for (let time = 0; time < times; time += 1) await page.mouse.wheel(0, px);
  await page.evaluate(rests);
  await stands(page);
};

/** Until nothing has moved for some frames: what a wheel has begun goes on for a while. */
const rests = `new Promise((resolve) => {
  let [last, frames] = ['', 0];
  const look = () => {
    const now = scrollY + ' ' + document.querySelector('[role=log]')?.scrollTop;
    frames = now === last ? frames + 1 : 0;
    last = now;
    if (frames > 10) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

const plots: Gesture = async (page) => {
  for (const stretch of ['week', 'month', 'all', 'day']) {
    await page.getByRole('main').locator('select').selectOption(stretch);
    await stands(page);
    await page.locator('.plot svg path.line').last().waitFor({ state: 'attached' });
  }
};

const search = (label: string, word: string) => async (page: Page) => {
  await page.getByLabel(label).pressSequentially(word);
  await page.getByLabel(label).fill('');
};

/** Somebody joins who was not there before, and leaves. */
const joins: Gesture = async (page, { game }) => {
  const { players } = game.state;
  const nth = (count: number) => page.locator('.people li:has-text("Somebody new")').nth(count - 1);
  game.state.players = [
    ...players,
    { id: '77', name: 'Somebody new', connectionId: 'L_new', isAdmin: false },
  ];
  game.tell();
  await nth(1).waitFor({ state: 'attached' });
  game.state.players = players;
  game.tell();
  await nth(1).waitFor({ state: 'detached' });
};

const talk: Gesture = async (page, stage) => {
  const line = `What ${Date.now()} says`;
  for (let index = 0; index < 5; index += 1) says(stage, index, `${line} ${index}`);
  await page.getByText(`${line} 4`).first().waitFor();
};

const wholeChat: Gesture = async (page) => {
  const lines = page.getByRole('log');
  const begin = lines.locator('.chat-begin');
  await page.getByRole('log').hover();
  while ((await begin.count()) === 0) {
    await page.mouse.wheel(0, -30_000);
    await stands(page);
  }
};

const otherViews = [
  ...['Cabins', 'Time and rendering', 'Settings', 'Game files', 'Schedules', 'The game', 'Operations'],
  ...['Webhooks', 'Backups', 'Keys', 'Bans and allowlist', 'Audit', 'Farms', 'This page'],
];

/** What somebody does who looks at everything, in this order. */
export const gestures: Readonly<Record<string, Gesture>> = {
  'scroll through who is here, and what stands below': scroll(25, 800),
  'see somebody join': joins,
  'see a line among what happened last': talk,
  'open the players': open('Players', `.persons li:nth-of-type(${busy.farmhands - busy.players})`),
  'scroll through the players': scroll(20, 800),
  'see somebody join the players': joins,
  'search the farmhands': search('Find', 'Player 29'),
  'open the chat': open('Chat', '.said'),
  'go back to the first line': wholeChat,
  'scroll through the whole chat': scroll(40, 3_000),
  'go to the last line': async (page) => {
    // As with the bar at its side.
    await page.getByRole('log').evaluate((log) => log.scrollTo({ top: log.scrollHeight }));
    await page.evaluate(rests);
  },
  'hear a line': talk,
  'search the chat': search('Search the chat', 'Line 99'),
  'open the first view': open('The farm now', `.people li:nth-of-type(${busy.players})`),
  'open the chat again': open('Chat', '.said'),
  'open the plots': open('Plots', '.plot svg path.line'),
  'plot days and months': plots,
  'point at a plot': async (page) => {
    const box = await page.locator('.plot-box').first().boundingBox();
    for (let step = 0; step < 30; step += 1)
      await page.mouse.move((box?.x ?? 0) + 50 + step * 10, (box?.y ?? 0) + 50);
  },
  'open every other view': async (page) => {
    for (const view of otherViews) await open(view, 'h1')(page);
  },
};

/** Waits for nothing more, and has drawn what it has. */
export async function stands(page: Page): Promise<void> {
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestIdleCallback(drawn)))');
}
