import { setImmediate as turn } from 'node:timers/promises';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { expect, it } from 'vitest';
import { type Follower, openFollower } from './stage/followers.ts';
import { holesIn, type NumberedTopic, numberedTopics, RestartingApi } from './stage/restarting-api.ts';

const disconnects = count({ small: 40, long: 10_000 });
const restarts = count({ small: 2, long: 200 });

const choices: readonly (readonly NumberedTopic[])[] = [
  numberedTopics,
  ['chat'],
  ['players'],
  ['farm', 'players'],
  ['chat', 'farm'],
];

it.each(['SIGTERM', 'SIGKILL'] as const)(
  `over ${disconnects} disconnects and ${restarts} restarts whoever follows by whichever door hears everything once and in order, or is told of a gap: %s`,
  { timeout: 3_600_000 },
  async (signal) => {
    const random = seededRandom(seed);
    const next = (most: number) => Math.floor(random() * most);
    const oneOf = <T>(all: readonly T[]) => all[next(all.length)] as T;
    await using api = await RestartingApi.open({ API_KEY: 'k3y', WS_MAX_CONNECTIONS_PER_ADDRESS: '1000' });
    using stack = new DisposableStack();
    const followers: Follower[] = [];
    for (const door of ['ws', 'stream', 'poll'] as const)
      for (const topics of [numberedTopics, oneOf(choices), oneOf(choices)])
        followers.push(stack.use(await openFollower(door, topics, api)));
    const [witness] = followers;
    /** Who goes away now and then. */
    const others = followers.slice(1);
    const happen = (times: number) => {
      for (let time = 0; time < times; time += 1) api.happens(oneOf(numberedTopics));
    };
    /** How much had happened when each process was killed. */
    const kills: number[] = [];
    for (let restart = 0; restart < restarts; restart += 1) {
      for (let cut = 0; cut < disconnects / restarts; cut += 1) {
        const follower = oneOf(others);
        happen(next(8));
        // Some of it has come by then, or a part of some.
        for (let turns = next(20); turns > 0; turns -= 1) await turn();
        follower.cut();
        happen(next(8));
        await follower.connect();
      }
      // Some are away over the restart: what they miss, memory does not know then.
      oneOf(others).cut();
      oneOf(others).cut();
      happen(1 + next(50));
      // What the game has told and the service has not read yet is nobody's.
      if (signal === 'SIGTERM' || restart % 2 === 0) await witness?.hearUntil(api.told.length);
      if (signal === 'SIGKILL') kills.push(api.told.length);
      const gaps = followers.map((each) => each.gaps);
      await api.end(signal);
      for (const follower of followers) follower.cut();
      await api.start();
      for (const follower of followers) await follower.connect();
      for (const topic of numberedTopics) api.happens(topic);
      for (const follower of followers) await follower.hearUntil(api.numbersOf(follower.topics).at(-1) ?? 0);
      expect(followers.map((each, index) => each.gaps > (gaps[index] ?? 0))).toEqual(
        followers.map(() => signal === 'SIGKILL'),
      );
    }
    for (const follower of followers) {
      const untold = holesIn(follower, api).filter(
        ({ before, next: number }) => !kills.some((kill) => before <= kill && kill < number),
      );
      expect(untold, follower.constructor.name).toEqual([]);
      expect(new Set(follower.heard).size).toBe(follower.heard.length);
    }
  },
);
