import { busy, busyFarm, gestures, stands } from '@steward/dashboard/test/stage/busy-farm';
import { type LongestTask, longestTask } from '@steward/testing/browser-tasks';
import type { Browser, Page } from 'playwright-core';
import { type Comparison, interleave } from '../comparison.ts';
import { Bare } from '../start/bare.ts';

const rounds = 5;

/** What goes on for longer is felt. */
const mostMs = 50;

/** A page for all that somebody does, beside one as long that is nothing but text and is scrolled alone. */
export async function usedPage(): Promise<readonly Comparison[]> {
  const bare = await Bare.measured();
  await using stage = await busyFarm();
  const ours = async () => {
    const page = await stage.visit();
    await page.getByRole('banner').getByText('Live').waitFor();
    await stands(page);
    const longest = await longestTask(page, async () => {
      for (const act of Object.values(gestures)) await act(page, stage);
    });
    await page.context().close();
    return longest;
  };
  const first = await stage.visit();
  const { used, plain } = await interleave(rounds, {
    used: ours,
    plain: () => scrolledText(first.context().browser() as Browser),
  });
  const compare = (figure: string, value: (one: LongestTask) => number): Comparison => ({
    figure: `the page used, ${busy.players} players, ${busy.lines.toLocaleString('en')} lines, ${busy.days} days: ${figure}`,
    unit: 'ms',
    ours: used.map(value),
    limit: plain.map(value),
    beside: 'plain',
  });
  const ofProcessor = compare('longest task, of the processor’s time', ({ processorMs }) => processorMs);
  return [
    compare('longest task', ({ ms }) => ms),
    ofProcessor,
    bare.beside(ofProcessor, 'startCpuMs', mostMs),
  ];
}

async function scrolledText(browser: Browser): Promise<LongestTask> {
  const page: Page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.setContent(
    Array.from({ length: busy.lines }, (_, index) => `<p>Line ${index}: who waters the parsnips?</p>`).join(
      '',
    ),
  );
  const longest = await longestTask(page, async () => {
    for (const px of [3_000, -3_000]) for (let time = 0; time < 40; time += 1) await page.mouse.wheel(0, px);
    await stands(page);
  });
  await page.close();
  return longest;
}
