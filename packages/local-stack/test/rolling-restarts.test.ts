import { count, seed } from '@steward/testing/scale';
import { expect, it } from 'vitest';
import { join } from './chaos/join.ts';
import { ChatBot } from './soak/chat-bot.ts';
import { ChatLedger } from './soak/chat-ledger.ts';
import { drainedFarm } from './stage/drained-farm.ts';

type Farm = Awaited<ReturnType<typeof drainedFarm>>;

const names = ['Sam', 'Leah', 'Shane'];

/** Half of it to find an end in. */
const stopDrainSeconds = 6;

const restarts = {
  drained: count({ small: 3, long: 50 }),
  stopped: count({ small: 1, long: 5 }),
} as const;

/** Three people who come back to the farmhand that they had, and talk; two bots that hear them. */
class People {
  readonly farmhands = new Map<string, string>();
  /** Who has heard each line that was said. */
  readonly said = new Map<string, ReadonlySet<string>>();
  readonly ledger = new ChatLedger();
  readonly bots: readonly ChatBot[];
  readonly #farm: Farm;
  #lines = 0;

  constructor(farm: Farm) {
    this.#farm = farm;
    this.bots = ['first', 'second'].map((name) => new ChatBot(name, farm.port, this.ledger));
  }

  async come(): Promise<void> {
    for (const name of names) {
      const { arrival, said } = await join(this.#farm.orders, name, ['--ip'], this.farmhands.get(name));
      if (arrival === undefined) throw new Error(said);
      this.farmhands.set(name, arrival.farmhandId);
    }
    // Who still makes a character says nothing yet.
    await this.#farm.areThere(names);
  }

  async talk(): Promise<void> {
    for (const name of names) {
      const line = `${name} says that it is line ${this.#lines}.`;
      this.#lines += 1;
      const hearers = this.ledger.listenFor(line);
      if ((await this.#farm.orders.order('say', name, line)) === '') this.said.set(line, hearers);
    }
  }

  async sleep(): Promise<void> {
    for (const name of names) await this.#farm.orders.order('sleep', name);
  }

  /** Both have heard each line once. */
  async check(): Promise<void> {
    const last = this.ledger.listenFor('that is all');
    await this.#farm.orders.order('say', 'Sam', 'that is all');
    await expect.poll(() => last.size, { timeout: 20_000 }).toBe(this.bots.length);
    this.ledger.compare();
    expect(this.ledger.violations).toEqual([]);
    const unheard = [...this.said].filter(([, { size }]) => size < this.bots.length);
    expect(unheard).toEqual([]);
  }
}

it(
  'no day is lost that had its time, no line lost or heard twice, and everybody comes back, however often it is restarted',
  async () => {
    await using farm = await drainedFarm({ STOP_DRAIN_SECONDS: String(stopDrainSeconds) });
    await farm.open();
    const people = new People(farm);
    const places = () =>
      expect.poll(() => people.bots.every(({ isPlaced }) => isPlaced), { timeout: 20_000 });
    await places().toBe(true);
    let days = 0;
    const drained = { 'day-end': 0, now: 0 };
    for (let round = 0; round < restarts.drained + restarts.stopped; round += 1) {
      const isStop = round % (restarts.drained / restarts.stopped + 1) === 1;
      await people.come();
      await people.talk();
      const before = await farm.now();
      const ended = await farm.daysEnded();
      if (isStop) {
        const stopped = farm.stop('SIGTERM');
        await people.talk();
        await stopped;
        expect(farm.api.stdout.join('\n')).toMatch(/"isSaved":true,"msg":"the drain is done"/);
        await farm.start();
      } else {
        const when = (round + seed) % 2 === 0 ? 'now' : 'day-end';
        const id = await farm.drain(`when=${when}&restart=true&seconds=1&message=round+${round}`);
        const { said } = await join(farm.orders, 'Robin', ['--ip']);
        expect(said).toMatch(/Robin (left: |was refused|cannot connect|lost)|ECONNREFUSED|ENOENT|is gone/);
        await people.talk();
        if (when === 'day-end') await people.sleep();
        expect(await farm.ended(id)).toMatchObject({
          state: 'applied',
          after: { isSaved: true, isBack: true },
        });
        drained[when] += 1;
        if (when === 'day-end') expect((await farm.daysEnded()).length).toBeGreaterThan(ended.length);
      }
      await farm.open();
      // The farm goes on where it was left, and not a moment before.
      expect(await farm.now()).toBeGreaterThanOrEqual(before);
      const told = await farm.daysEnded();
      expect(new Set(told).size).toBe(told.length);
      days = told.length;
    }
    await people.come();
    await people.check();
    for (const bot of people.bots) await bot.stop();
    process.stdout.write(
      `rolling restarts, seed ${seed}: ${drained['day-end']} at the end of a day, ${drained.now} at once, ${restarts.stopped} of the whole service; ${days} days, ${people.said.size} lines\n`,
    );
  },
  count({ small: 240_000, long: 1_800_000 }),
);
