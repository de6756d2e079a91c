import { setImmediate as turn } from 'node:timers/promises';
import { steward } from '@steward/client';
import { farmOf } from '@steward/client/farm';
import { Changes } from '@steward/testing/changes';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { expect, it } from 'vitest';
import {
  holesIn,
  type NumberedTopic,
  numberedTopics,
  numberOf,
  RestartingApi,
} from '../events/stage/restarting-api.ts';
import { said, streamStage } from '../events/stage/stream-stage.ts';
import { type FollowedWay, followedWays, startChaosFront } from './chaos-front.ts';
import { fasterWorld } from './faster-world.ts';

const disconnects = count({ small: 30, long: 10_000 });
const restarts = count({ small: 2, long: 200 });

/** A second of a client's waits takes this test twenty milliseconds. */
const faster = 50;

/** Who listens from where. */
const listeners: readonly { topics: readonly NumberedTopic[]; closed: readonly FollowedWay[] }[] = [
  { topics: numberedTopics, closed: [] },
  { topics: ['chat'], closed: [] },
  { topics: ['farm', 'players'], closed: ['/ws'] },
  { topics: numberedTopics, closed: ['/ws', '/events/stream'] },
];

type Told = Parameters<typeof numberOf>[0];

interface BotOptions {
  readonly url: string;
  readonly key: string;
  readonly topics: readonly NumberedTopic[];
  readonly after: string;
  readonly random: () => number;
}

/** A program on the client that keeps the place of what it has done with, and goes on from there when it is started anew. */
class Bot implements AsyncDisposable {
  readonly heard: number[] = [];
  gaps = 0;
  drops = 0;
  readonly topics: readonly NumberedTopic[];
  readonly #options: BotOptions;
  readonly #changes = new Changes();
  #kept: string;
  #leaving = new AbortController();
  #running: Promise<void>;

  constructor(options: BotOptions) {
    this.#options = options;
    this.topics = options.topics;
    this.#kept = options.after;
    this.#running = this.#run();
  }

  async startAnew(): Promise<void> {
    this.#leaving.abort();
    await this.#running;
    this.#leaving = new AbortController();
    this.#running = this.#run();
  }

  async hearUntil(number: number): Promise<void> {
    await this.#changes.until(() => this.heard.at(-1) === number || undefined, {
      missing: () => `a bot heard only ${this.heard.slice(-5)} of ${this.topics}, not ${number}`,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { url, key, topics, random } = this.#options;
    const farm = farmOf({ url, key }, fasterWorld({ faster, random }));
    const { signal } = this.#leaving;
    const onDrop = () => {
      this.drops += 1;
    };
    for await (const event of farm.events({ topics, after: this.#kept, signal, onDrop })) {
      if (event.type === 'gap') this.gaps += 1;
      const number = numberOf(event as Told);
      if (number !== undefined) this.heard.push(number);
      this.#kept = event.cursor;
      this.#changes.told();
    }
  }
}

/** By chance a front may have broken every try of the best way that is open. */
const mostMoreStarts = 50;

/** The place behind all that has happened. */
async function placeOf({ origin: url, key }: RestartingApi): Promise<string> {
  return (await steward({ url, key }).getEvents({ limit: 1 })).cursor;
}

it.each(['SIGTERM', 'SIGKILL'] as const)(
  `over ${disconnects} disconnects and ${restarts} restarts a bot on the client hears everything once and in order, or is told of a gap: %s`,
  { timeout: 3_600_000 },
  async (signal) => {
    const random = seededRandom(seed);
    const next = (most: number) => Math.floor(random() * most);
    const oneOf = <T>(all: readonly T[]) => all[next(all.length)] as T;
    await using api = await RestartingApi.open({ API_KEY: 'k3y', WS_MAX_CONNECTIONS_PER_ADDRESS: '1000' });
    const after = await placeOf(api);
    await using stack = new AsyncDisposableStack();
    const open = (url: string, topics: readonly NumberedTopic[]) =>
      stack.use(new Bot({ url, key: api.key, topics, after, random }));
    const witness = open(api.origin, numberedTopics);
    const fronts = await Promise.all(
      listeners.map(({ closed }) => startChaosFront({ port: api.port, random, closed })),
    );
    for (const front of fronts) stack.use(front);
    const others = fronts.map(({ url }, index) => open(url, listeners[index]?.topics ?? []));
    const bots = [witness, ...others];
    const happen = (times: number) => {
      for (let time = 0; time < times; time += 1) api.happens(oneOf(numberedTopics));
    };
    /** How much had happened when each process was killed. */
    const kills: number[] = [];
    for (let restart = 0; restart < restarts; restart += 1) {
      for (let cut = 0; cut < disconnects / restarts; cut += 1) {
        happen(next(8));
        // Some of it has come by then, or a part of some.
        for (let turns = next(20); turns > 0; turns -= 1) await turn();
        await oneOf(fronts).cut();
        happen(next(8));
      }
      await oneOf(others).startAnew();
      happen(1 + next(50));
      // What the game has told and the service has not read yet is nobody's.
      if (signal === 'SIGTERM' || restart % 2 === 0) await witness.hearUntil(api.told.length);
      if (signal === 'SIGKILL') kills.push(api.told.length);
      const gaps = bots.map((each) => each.gaps);
      await api.end(signal);
      await api.start();
      for (const topic of numberedTopics) api.happens(topic);
      for (const bot of bots) await bot.hearUntil(api.numbersOf(bot.topics).at(-1) ?? 0);
      expect(bots.map((each, index) => each.gaps > (gaps[index] ?? 0))).toEqual(
        bots.map(() => signal === 'SIGKILL'),
      );
    }
    for (const bot of bots) {
      const untold = holesIn(bot, api).filter(
        ({ before, next: number }) => !kills.some((kill) => before <= kill && kill < number),
      );
      expect(untold, `${bot.topics}`).toEqual([]);
      expect(new Set(bot.heard).size).toBe(bot.heard.length);
    }
    expect(others.reduce((sum, { drops }) => sum + drops, 0)).toBeGreaterThan(disconnects / 2);
    expect(new Set(fronts.flatMap(({ met }) => [...met]))).toEqual(fronts[0]?.every);
    for (const [index, front] of fronts.entries()) {
      const { closed = [] } = listeners[index] ?? {};
      const best = followedWays.find((way) => !closed.includes(way)) ?? '/ws';
      // What is open passes sooner or later, and what is closed never does. Who has come to pages stays there over cuts, as the next
      // page comes: only a start, or pages that do not come, lead to the best way again.
      for (let more = 0; more < mostMoreStarts && !front.taken.has(best); more += 1) {
        await others[index]?.startAnew();
        for (const topic of numberedTopics) api.happens(topic);
        await others[index]?.hearUntil(api.numbersOf(others[index].topics).at(-1) ?? 0);
      }
      expect(front.taken.has(best)).toBe(true);
      expect([...front.taken].filter((way) => closed.includes(way))).toEqual([]);
    }
  },
);

it.each([
  ['stream, which the server cuts off', 'steward_events_slow_readers_total{door="stream"}', 1, { fetch }],
  ['socket, of which it lets go itself', 'steward_chat_listeners', 0, {}],
])(
  'what a slow bot leaves unread its memory does not hold, and it hears it nevertheless: by a %s',
  async (_way, metric, value, options) => {
    await using stage = await streamStage({ chatLimits: { unreadBytes: 256 * 1024 } });
    const farm = steward({ url: `http://127.0.0.1:${stage.port}`, ...options });
    const events = farm.events({ after: stage.events.head });
    stage.tell(said('0'));
    await events.next();
    // Less at once than the server would take for unread.
    const long = 'x'.repeat(2_000);
    let told = 1;
    const isCutOff = async () => (await stage.metric(metric)) === value;
    // More than the machine holds for a socket by itself; the server has the newest 10,000 for who comes back.
    while (told < 9_500 && !(told % 50 === 1 && (await isCutOff()))) stage.tell(said(`${told++} ${long}`));
    expect(await isCutOff()).toBe(true);
    for (let number = 1; number < told; number += 1) {
      const { value } = await events.next();
      expect(value).toMatchObject({ type: 'chat.said', data: { message: `${number} ${long}` } });
    }
    await events.return();
  },
);
