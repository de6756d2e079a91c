import { count, seed } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChatStage, key } from './stage/chat-stage.ts';
import { Follower } from './stage/follower.ts';

const disconnects = count({ small: 80, long: 10_000 });

it(`loses and doubles nothing over ${disconnects} disconnects, and keeps the game's order`, {
  timeout: 600_000,
}, async () => {
  await using stage = await ChatStage.open({ key, log: { events: 1_000_000, bytes: 2 ** 30 } });
  const random = fc.sample(fc.nat({ max: 2 ** 30 }), { numRuns: disconnects * 5, seed });
  const next = (most: number) => (random.pop() ?? 0) % most;
  let said = 0;
  const say = (times: number) => {
    for (let time = 0; time < times; time += 1) {
      said += 1;
      stage.say(said.toString());
    }
  };
  const followers = [
    new Follower(stage.url, key),
    new Follower(stage.url, key),
    new Follower(stage.url, key),
  ];
  for (const follower of followers) await follower.connect();
  for (let cut = 0; cut < disconnects; cut += 1) {
    const follower = followers[next(followers.length)];
    if (follower === undefined) throw new Error('no follower');
    say(next(4));
    // Cut at any point of the way: before the answer to auth, amid the missed messages, or long after.
    await follower.hear(next(6));
    // Now and then the network goes, and with it everybody's line.
    const all = next(10) === 0;
    if (all) stage.cut();
    const lost = all ? followers : [follower];
    for (const one of lost) one.cut();
    say(next(4));
    await Promise.all(lost.map((one) => one.connect()));
  }
  say(1);
  for (const follower of followers) {
    await follower.hearUntil(said.toString());
    expect(follower.gaps).toBe(0);
    expect(follower.heard).toEqual(Array.from({ length: said }, (_, index) => String(index + 1)));
  }
});
