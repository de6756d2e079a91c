import { mkdirSync, writeFileSync } from 'node:fs';
import { eventually } from '@steward/testing/eventually';
import type { Page } from 'playwright-core';
import { StackStage } from './stage/stack-stage.ts';
import { schemes, sizes } from './stage/visitors.ts';

// Makes the pictures of the page that README.md and docs/dashboard.md show, of the whole stack with a farm that is always the same.

const directory = new URL('../../../docs/page/', import.meta.url);

/** Of each view what is worth to be shown; the first is on both sizes. */
const shots = [
  { name: 'home', path: '/', on: ['desktop', 'phone'] },
  { name: 'players', path: '/players', on: ['desktop'] },
  { name: 'chat', path: '/chat', on: ['phone'] },
  { name: 'schedules', path: '/schedules', on: ['desktop'] },
] as const;

/** Small enough for a README, and sharp enough to be read. */
const quality = 70;
const afternoon = 1410;
/** Slow enough that it is still afternoon when the picture is taken. */
const pace = '10';

await using stage = await StackStage.open({ FARM_PACE: pace, FARM_SEED: 'pictures' });
const { farm } = stage;
await farm.createSchedule({
  ...{ name: 'nightly restart', action: 'drain', when: 'day-end', restart: true },
  ...{ cron: '0 5 * * *', timeZone: 'Europe/Berlin' },
});
await farm.createSchedule({
  ...{ name: 'copies', action: 'backup', cron: '0 */6 * * *', missed: 'once', note: 'each six hours' },
});
await Promise.all([stage.comes('Ann'), stage.comes('Bram', '--client', 'test'), stage.comes('Cleo')]);
await stage.order('leave', 'Cleo');
const lines = [
  ['Ann', 'Good morning! Who waters the parsnips today?'],
  ['Bram', 'I do. The mine can wait until it rains.'],
  ['Ann', 'Then I go and fish for the bundle.'],
] as const;
for (const [who, line] of lines) await stage.order('say', who, line);
await farm.sendChat({ author: 'Dewi', message: 'I come at eight. Leave me some seeds!' });
await eventually(async () => (await farm.listPlayers()).players.length === 2 || undefined, {
  missing: () => 'Not both of them are there',
});

mkdirSync(directory, { recursive: true });
for (const { name, path, on } of shots)
  for (const size of on)
    for (const scheme of schemes) {
      const page = await stage.visit({ path, size, scheme });
      await farm.setTime({ value: afternoon });
      await page.getByRole('banner').getByText('Live').waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
      const file = `${name}-${size}-${scheme}.webp`;
      const picture = await pictureOf(page);
      writeFileSync(new URL(file, directory), picture);
      process.stdout.write(
        `docs/page/${file}: ${sizes[size].width} px wide, ${Math.ceil(picture.length / 1_000)} kB\n`,
      );
      await page.context().close();
    }

async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  return Buffer.from(data, 'base64');
}
