import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Changes } from '@steward/testing/changes';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it, onTestFinished } from 'vitest';
import { quiet } from '../../../test/game/stage/stage.ts';
import { ExistingChatKeeper } from './existing-chat-keeper.ts';
import { existingLimits } from './existing-limits.ts';

it('tries one connection after the other, however often that server comes and goes meanwhile', async () => {
  let tries = 0;
  const refusing = createServer((_request, response) => {
    tries += 1;
    response.writeHead(404).end();
  });
  refusing.listen(0, '127.0.0.1');
  onTestFinished(() => void refusing.close());
  await once(refusing, 'listening');
  const origin = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  const changes = new Changes();
  let ended = 0;
  const clock = new ManualClock();
  const pauseMs = 1_000;
  const keeper = new ExistingChatKeeper({
    url: new URL(origin),
    key: undefined,
    ...{ clock, limits: existingLimits, log: quiet },
    // Asked once for the pause after each try.
    random: () => {
      ended += 1;
      changes.told();
      return 0;
    },
    backoff: { firstMs: pauseMs, factor: 1, longestMs: pauseMs, steadyMs: 60_000 },
    heard: () => {},
    lost: () => {},
  });
  const hasEnded = (count: number) =>
    changes.until(async () => ended === count || undefined, { missing: () => `${ended} tries have ended` });
  keeper.open();
  await hasEnded(1);
  clock.advance(pauseMs / 2);
  keeper.close();
  keeper.open();
  await hasEnded(2);
  // The pause after the first try is over, and that after the second is not.
  clock.advance(pauseMs / 2);
  await fetch(origin);
  expect(tries).toBe(2 + 1);
  clock.advance(pauseMs / 2);
  await hasEnded(3);
  keeper.close();
  clock.advance(pauseMs);
  await fetch(origin);
  expect(tries).toBe(3 + 2);
});
