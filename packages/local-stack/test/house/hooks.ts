import { type Event, type Farm, StewardError } from '@steward/client';
import { messagesOf, unsaid } from '@steward/control-api/test/webhooks/stage/judging';
import { type Manner, manners, Receiver } from '@steward/control-api/test/webhooks/stage/receiver';
import { eventually } from '@steward/testing/eventually';
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

  /** The receiver has had enough of it: all that waits is delivered. */
  async settle(owner: Farm): Promise<void> {
    this.#isGood = true;
    for (const name of names) await owner.resumeWebhook({ name });
    await eventually(
      async () => {
        const { webhooks } = await owner.listWebhooks().catch(nobody);
        return webhooks.length > 0 && webhooks.every(({ lag }) => lag === 0) ? true : undefined;
      },
      { withinMs: settledWithinMs, missing: () => 'the webhooks were not told all' },
    );
  }

  /** What was never told, nor said to be lost; doubled or out of order it throws. */
  violations(events: readonly Event[]): readonly string[] {
    return names.flatMap((name) => {
      const sent = this.#receivers[name].requests.map((each) => ({
        ...each,
        isSettled: settling.has(each.manner),
      }));
      const topics: readonly string[] = topicsOf[name].split(',');
      const cursors = events
        .filter(({ type }) => topics.includes(type.slice(0, type.indexOf('.'))))
        .map(({ cursor }) => cursor);
      return unsaid(messagesOf(sent), cursors).map(
        (cursor) => `the webhook ${name} was never told ${cursor}`,
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(names.map((name) => this.#receivers[name][Symbol.asyncDispose]()));
  }
}

function nobody(error: unknown): { readonly webhooks: readonly never[] } {
  if (!(error instanceof StewardError)) throw error;
  return { webhooks: [] };
}
