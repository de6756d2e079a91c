import { sharedBrowser } from '@steward/testing/browser';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { busy } from './stage/busy-farm.ts';
import { opened, serveEmpty } from './stage/opened.ts';
import { PageStage } from './stage/page-stage.ts';

const pairs = 9;
const mostTimes = 3;
/** On a busy machine each of its twenty pages may take ten seconds. */
const timeout = 300_000;

it('does nothing in one go as it opens that takes thrice what a bare page does', { timeout }, async () => {
  await using stage = await PageStage.open();
  stage.game.state.players = Array.from({ length: busy.players }, (_, index) => ({
    ...{ id: String(1_000 + index), name: `Player ${index}` },
    ...{ connectionId: `L_${index}`, isAdmin: false },
  }));
  // Players could not have come without a way in, and the page would load what says so before it shows them.
  stage.game.state.networks.directIp = { listening: true, port: 24_642 };
  stage.game.tell();
  using directory = temporaryDirectory();
  const empty = await serveEmpty(directory.path);
  const browser = await sharedBrowser();
  // Of the processor's time: the machine has more to do than this. The first pair may be the first of all that this browser shows.
  const longest = async (origin: string) => (await opened(browser, origin)).longest.processorMs;
  const times = async () => (await longest(stage.origin)) / (await longest(empty.origin));
  await times();
  const [within, beyond]: [number[], number[]] = [[], []];
  // Once most of all pairs are on one side of the bound, the one in the middle is, whatever the others would take.
  while (Math.max(within.length, beyond.length) <= pairs / 2) {
    const taken = await times();
    (taken < mostTimes ? within : beyond).push(taken);
  }
  empty.close();
  expect(within.length, `times as long: ${[...within, ...beyond]}`).toBeGreaterThan(beyond.length);
});
