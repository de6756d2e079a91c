import { type Farm, steward } from '@steward/client';
import { eventually } from '@steward/testing/eventually';
import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { Dice } from '../chaos/dice.ts';
import type { ChaosFault } from '../chaos/faults.ts';
import { key } from '../chaos/programs.ts';
import type { SoakSurroundings } from '../soak/surroundings.ts';
import { AuditBook } from './audit-book.ts';
import { DiscordSide } from './discord-side.ts';
import { drainAndComeBack } from './drained.ts';
import { Hooks } from './hooks.ts';
import { type Keys, makeKeys } from './keys.ts';
import { Neighbours } from './neighbours.ts';
import { OpenPage } from './open-page.ts';
import { TableTalk } from './table-talk.ts';
import { makeSchedules, scheduleNames } from './timetable.ts';

/** A farm answers this many pages. */
const farms = 3;
const heardWithinMs = 60_000;

/** Everything that people have on beside the farm itself: keys, webhooks, schedules, Discord, an open page, other farms. */
export class House implements AsyncDisposable {
  readonly owner: Farm;
  readonly keys: Keys;
  readonly book = new AuditBook(['scripts'], ['owner', 'bots', 'pages', 'nobody', ...scheduleNames]);
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

  private constructor(
    world: ChaosWorld,
    parts: Pick<House, 'owner' | 'keys' | 'hooks' | 'discord' | 'page' | 'neighbours' | 'since'>,
    stack: AsyncDisposableStack,
  ) {
    this.#world = world;
    this.#stack = stack;
    this.owner = parts.owner;
    this.keys = parts.keys;
    this.hooks = parts.hooks;
    this.discord = parts.discord;
    this.page = parts.page;
    this.neighbours = parts.neighbours;
    this.since = parts.since;
    this.talk = stack.use(new TableTalk(world, this.discord));
  }

  static async open(world: ChaosWorld, around: SoakSurroundings, dice: Dice): Promise<House> {
    await using opening = new AsyncDisposableStack();
    const { api, page: origin } = around.origins;
    const { directory } = around;
    const owner = steward({ url: api, key });
    const keys = await makeKeys(api);
    const hooks = opening.use(new Hooks(dice));
    const [neighbours, discord] = await Promise.all([
      Neighbours.open(around.neighbours, origin),
      DiscordSide.open({ directory, url: api, key: keys.bots }),
      hooks.make(owner),
    ]);
    opening.use(neighbours);
    opening.use(discord);
    const page = opening.use(await OpenPage.open({ origin, key: keys.pages }, neighbours.forThePage));
    await eventually(async () => discord.isListening || undefined, {
      missing: () => `the Discord bot never listened: ${discord.bot.output.join('\n')}`,
    });
    const { cursor: since } = await owner.getEvents({ limit: 1 });
    const house = new House(world, { owner, keys, hooks, discord, page, neighbours, since }, opening.move());
    await makeSchedules(steward({ url: api, key: keys.scripts }), house.book);
    return house;
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
    await this.page.showsFarms(farms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}
