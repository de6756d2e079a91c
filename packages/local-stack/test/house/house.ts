import { type Farm, steward } from '@steward/client';
import { eventually } from '@steward/testing/eventually';
import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { Dice } from '../chaos/dice.ts';
import type { ChaosFault } from '../chaos/faults.ts';
import { key } from '../chaos/programs.ts';
import type { SoakSurroundings } from '../soak/surroundings.ts';
import { AuditBook } from './audit-book.ts';
import { DiscordSide } from './discord-side.ts';
import { Hooks } from './hooks.ts';
import { type Keys, makeKeys } from './keys.ts';
import { Neighbours } from './neighbours.ts';
import { OpenPage } from './open-page.ts';
import { TableTalk } from './table-talk.ts';
import { makeSchedules, scheduleNames } from './timetable.ts';

const heardWithinMs = 60_000;
const ended: readonly string[] = ['applied', 'refused', 'void'];
/** A day may be ending, and a game that is started loads for a while. */
const drainedWithinMs = 180_000;

type Parts = Pick<
  House,
  'owner' | 'keys' | 'book' | 'hooks' | 'discord' | 'talk' | 'page' | 'neighbours' | 'since'
>;

/** Everything that people have on beside the farm itself: keys, webhooks, schedules, Discord, an open page, other farms. */
export class House implements AsyncDisposable {
  readonly owner: Farm;
  readonly keys: Keys;
  readonly book: AuditBook;
  readonly hooks: Hooks;
  readonly discord: DiscordSide;
  readonly talk: TableTalk;
  readonly page: OpenPage;
  readonly neighbours: Neighbours;
  drains = 0;
  /** The place in the events from which on webhooks are told. */
  readonly since: string;
  readonly #world: ChaosWorld;
  readonly #stack: AsyncDisposableStack;

  private constructor(world: ChaosWorld, parts: Parts, stack: AsyncDisposableStack) {
    this.#world = world;
    this.#stack = stack;
    this.owner = parts.owner;
    this.keys = parts.keys;
    this.book = parts.book;
    this.hooks = parts.hooks;
    this.discord = parts.discord;
    this.talk = parts.talk;
    this.page = parts.page;
    this.neighbours = parts.neighbours;
    this.since = parts.since;
  }

  /** One after the other, as what opens beside one that fails would be closed by nobody. */
  static async open(world: ChaosWorld, around: SoakSurroundings, dice: Dice): Promise<House> {
    await using opening = new AsyncDisposableStack();
    const { api, page: origin } = around.origins;
    const { directory } = around;
    const owner = steward({ url: api, key });
    const keys = await makeKeys(api);
    const hooks = opening.use(new Hooks(dice));
    await hooks.make(owner);
    const neighbours = opening.use(await Neighbours.open(around.neighbours, origin));
    const discord = opening.use(await DiscordSide.open({ directory, url: api, key: keys.bots }));
    const page = opening.use(await OpenPage.open({ origin, key: keys.pages }, neighbours.forThePage));
    await eventually(async () => discord.isListening || undefined, {
      missing: () => `the Discord bot never listened: ${discord.bot.output.join('\n')}`,
    });
    const { cursor: since } = await owner.getEvents({ limit: 1 });
    const talk = opening.use(new TableTalk(world, discord));
    const book = new AuditBook(['scripts'], ['owner', 'bots', 'pages', 'nobody', ...scheduleNames]);
    await makeSchedules(steward({ url: api, key: keys.scripts }), book);
    const parts = { owner, keys, book, hooks, discord, talk, page, neighbours, since };
    return new House(world, parts, opening.move());
  }

  get faults(): readonly ChaosFault[] {
    return this.discord.faults;
  }

  /** The farm itself is restarted as its operator would: nobody loses a day. */
  async drain(): Promise<void> {
    await drainAndComeBack(this.#world, this.owner, this.book);
    this.drains += 1;
  }

  /** Everybody sees what was said on the farm now, wherever they are. */
  async isWhole(text: string): Promise<void> {
    await eventually(async () => this.discord.shows(text) || undefined, {
      withinMs: heardWithinMs,
      missing: () => `“${text}” never came to Discord: ${this.discord.bot.life.slice(-5).join('\n')}`,
    });
    await this.page.showsGossip(this.talk.gossip);
    // The farm itself and its neighbours.
    await this.page.showsFarms(1 + this.neighbours.forThePage.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}

/** Players are seen off, the farm is saved and stopped, and whatever keeps it running starts it again. */
export async function drainAndComeBack(
  world: Pick<ChaosWorld, 'farmStartsAgain'>,
  owner: Pick<Farm, 'startDrain' | 'getOperation'>,
  book: AuditBook,
): Promise<void> {
  const { operationId: id } = await owner.startDrain({ when: 'now', seconds: 1, restart: true });
  const failed = new AbortController();
  const restarted = world.farmStartsAgain(
    AbortSignal.any([failed.signal, AbortSignal.timeout(drainedWithinMs)]),
  );
  // How the drain itself ended says more, so that is told first; a farm that was not told to stop is waited for no longer.
  restarted.catch(() => {});
  try {
    const operation = await eventually(
      async () => {
        const found = await owner.getOperation({ id });
        return ended.includes(found.state) ? found : undefined;
      },
      { withinMs: drainedWithinMs, missing: () => `the drain ${id} did not end` },
    );
    const { state, after } = operation as { state: string; after?: Record<string, unknown> };
    if (state !== 'applied' || after?.['isSaved'] !== true || after['isBack'] !== true)
      throw new Error(`a drain ended with ${JSON.stringify(operation)}`);
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  await restarted;
  book.did('owner', 'a drain', id);
}
