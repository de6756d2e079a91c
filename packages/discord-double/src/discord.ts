import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import type { FastifyInstance } from 'fastify';
import { RequestFaults } from './faults/request-faults.ts';
import { Gateway } from './gateway/gateway.ts';
import { People } from './people/people.ts';
import { RateLimits } from './rest/rate-limits.ts';
import { type Asked, restServer } from './rest/rest.ts';
import { aboutRoutes } from './rest/routes/about.ts';
import { tokenRoutes } from './rest/routes/by-token.ts';
import { commandRoutes } from './rest/routes/commands.ts';
import { messageRoutes } from './rest/routes/messages.ts';
import { webhookRoutes } from './rest/routes/webhooks.ts';
import { discordLimits, type Limits } from './rules/limits.ts';
import type { Channel } from './world/channel.ts';
import { everyPermission, type Guild } from './world/guild.ts';
import { World } from './world/world.ts';

const host = '127.0.0.1';

export interface DiscordOptions {
  readonly port?: number;
  readonly clock?: Clock;
  /** Other than Discord's: `withoutRateLimits`, where a test is about something else. */
  readonly limits?: Partial<Limits>;
}

/**
 * Discord on loopback, with one application, its bot, and a guild that it is in.
 *
 *     await using discord = await Discord.start();
 *     new REST({ api: discord.api }).setToken(discord.token)   // and WebSocketManager, over that
 *     const ann = discord.guild.addMember('ann', { nick: 'Ann', roles: [role] });
 *     discord.people.say(ann, 'hello');                        // MESSAGE_CREATE, in discord.channel
 *     discord.channel.messages                                 // all that it shows, oldest first
 *     const used = discord.people.use(ann, 'kick', { player: '1' });
 *     await used.answer()                                      // { content, isEphemeral, … }; later ones: used.answers
 *     discord.gateway.drop()                                   // close(code), askToReconnect(), invalidate(…), faults
 *     discord.faults.add('POST /channels/:channelId/messages', { after: 'closed' });
 *     discord.limits.interactionAnswerMs = 50;                 // and application.privileged, permit(…)
 *     discord.onChange(changes.told)                           // `Changes` of @steward/testing waits for whatever is above
 *
 * What the bot has no use for is not here: files, reactions of people, polls, components, modals, autocompletion, direct messages, voice,
 * the parent of a channel that is no thread, changes of guild, channel, role and member by the API, a second guild.
 */
export class Discord implements AsyncDisposable {
  readonly world: World;
  readonly guild: Guild;
  /** The guild's first. */
  readonly channel: Channel;
  readonly people: People;
  readonly gateway: Gateway;
  readonly faults: RequestFaults;
  /** What the REST API was asked, in order. */
  readonly requests: Asked[] = [];
  readonly rateLimits: RateLimits;
  readonly #listeners = new Set<() => void>();
  readonly #server: FastifyInstance;

  private constructor({ clock = systemClock, limits = {} }: DiscordOptions) {
    this.world = new World(clock, { ...discordLimits, ...limits });
    this.guild = this.world.guild;
    this.channel = this.guild.addChannel('farm');
    this.people = new People(this.world, this.channel);
    this.gateway = new Gateway(this.world, this.#changed);
    this.rateLimits = new RateLimits(this.world.limits, clock);
    this.world.listen(this.#changed);
    const routes = [
      ...aboutRoutes(this.world, () => this.gateway.information),
      ...messageRoutes(this.world),
      ...webhookRoutes(this.world),
      ...tokenRoutes(this.world, this.rateLimits),
      ...commandRoutes(this.world),
    ];
    this.faults = new RequestFaults(routes.map(({ route }) => route));
    this.#server = restServer({
      world: this.world,
      routes,
      limits: this.rateLimits,
      faults: this.faults,
      record: (asked) => {
        this.requests.push(asked);
        this.#changed();
      },
      changed: this.#changed,
    });
    this.#server.server.on('upgrade', (request, socket, head) => this.gateway.upgrade(request, socket, head));
  }

  static async start(options: DiscordOptions = {}): Promise<Discord> {
    const discord = new Discord(options);
    await discord.#server.listen({ host, port: options.port ?? 0 });
    discord.gateway.origin = `ws://${host}:${discord.port}`;
    return discord;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** For the option `api` of the REST library. */
  get api(): string {
    return `http://${host}:${this.port}/api`;
  }

  /** The bot's. */
  get token(): string {
    return this.world.application.token;
  }

  get application() {
    return this.world.application;
  }

  /** The bot as a member of the guild. */
  get bot() {
    return this.world.bot;
  }

  /** Can be changed at any time. */
  get limits(): Limits {
    return this.world.limits;
  }

  /** From now on the bot may exactly this in the channel. */
  permit(permissions: bigint, channel: Channel = this.channel): void {
    channel.overwrites.set(this.bot.user.id, {
      of: 'member',
      allow: permissions,
      deny: everyPermission & ~permissions,
    });
  }

  /** Tells of every request, connection, presence, message and answer. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  readonly #changed = (): void => {
    for (const listener of this.#listeners) listener();
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.gateway.drop();
    await this.#server.close();
  }
}
