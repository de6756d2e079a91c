import type { Event, Farm } from '@steward/client';
import { messagesOf, unsaid } from '@steward/control-api/test/webhooks/stage/judging';
import {
  type Manner,
  manners,
  Receiver,
  type Request,
} from '@steward/control-api/test/webhooks/stage/receiver';
import type { Dice } from '../chaos/dice.ts';

const settling: ReadonlySet<Manner> = new Set(['takes it', 'hangs within the body', '404', '301']);

/** Often enough for every manner to come, seldom enough for all that happens to be told in time. */
const badChance = 0.015;
const settledWithinMs = 120_000;

const topicsOf = {
  channel: 'players,game,invites,backups,schedules',
  archive: 'chat,farm,server',
} as const;

type HookName = keyof typeof topicsOf;

const names = Object.keys(topicsOf) as readonly HookName[];

/** Two webhooks, and a receiver that fails in every way: what it was told is compared with what has happened. */
export class Hooks implements AsyncDisposable {
  readonly #receivers: Readonly<Record<HookName, Receiver>>;
  #isGood = false;

  constructor(dice: Dice) {
    const manner = (): Manner => (this.#isGood || dice.next() > badChance ? 'takes it' : dice.pick(manners));
    this.#receivers = { channel: new Receiver(manner), archive: new Receiver(manner) };
  }

  async make(owner: Farm): Promise<void> {
    for (const name of names)
      await owner.createWebhook({ name, topics: topicsOf[name], url: await this.#receivers[name].url() });
  }

  get requests(): number {
    return names.reduce((sum, name) => sum + this.#receivers[name].requests.length, 0);
  }

  /** The receiver has had enough of it: all that has happened is delivered. The farm goes on, so that there is always more to tell. */
  async settle(owner: Farm, events: readonly Event[]): Promise<void> {
    this.#isGood = true;
    for (const name of names) await owner.resumeWebhook({ name });
    await Promise.all(
      names.map(async (name) => {
        const last = toldTo(name, events).at(-1);
        if (last === undefined) return;
        // They come in order; what the receiver refused while it was bad is tried again.
        const isTold = ({ body, manner }: Request) =>
          settling.has(manner) && numberOf(JSON.parse(body)) >= numberOf(last);
        await this.#receivers[name].until((all) => all.slice(-1).some(isTold), settledWithinMs);
      }),
    );
  }

  /** What was never told, nor said to be lost; doubled or out of order it throws. */
  violations(events: readonly Event[]): readonly string[] {
    return names.flatMap((name) => {
      const sent = this.#receivers[name].requests.map((each) => ({
        ...each,
        isSettled: settling.has(each.manner),
      }));
      const cursors = toldTo(name, events).map(({ cursor }) => cursor);
      return unsaid(messagesOf(sent), cursors).map(
        (cursor) => `the webhook ${name} was never told ${cursor}`,
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(names.map((name) => this.#receivers[name][Symbol.asyncDispose]()));
  }
}

function toldTo(name: HookName, events: readonly Event[]): readonly Event[] {
  const topics: readonly string[] = topicsOf[name].split(',');
  return events.filter(({ type }) => topics.includes(type.slice(0, type.indexOf('.'))));
}

/** Of two places in the log of one server the later has the greater. */
function numberOf({ cursor }: { readonly cursor: string }): number {
  return Number(cursor.slice(cursor.lastIndexOf('-') + 1));
}
