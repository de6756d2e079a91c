import { randomBytes } from 'node:crypto';
import {
  type APIMessage,
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
  PermissionFlagsBits,
} from 'discord-api-types/v10';
import type { Happening } from '../world/ground.ts';
import type { World } from '../world/world.ts';

/** What a client is sent, as JSON. */
export interface Payload {
  readonly op: GatewayOpcodes;
  readonly d: unknown;
  readonly s: number | null;
  readonly t: string | null;
}

/** Which intent an event needs; what is not named here needs none. */
const intentOf: Partial<Record<GatewayDispatchEvents, GatewayIntentBits>> = {
  [GatewayDispatchEvents.MessageCreate]: GatewayIntentBits.GuildMessages,
  [GatewayDispatchEvents.MessageUpdate]: GatewayIntentBits.GuildMessages,
  [GatewayDispatchEvents.MessageDelete]: GatewayIntentBits.GuildMessages,
  [GatewayDispatchEvents.GuildCreate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildDelete]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildRoleCreate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildRoleUpdate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelCreate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelUpdate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelDelete]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.WebhooksUpdate]: GatewayIntentBits.GuildWebhooks,
};

/** What a bot has identified for: it outlives the connection, and remembers what was to be told meanwhile. */
export class Session {
  readonly id = randomBytes(16).toString('hex');
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  /** Where it goes now, while somebody is connected. */
  send: ((payload: Payload) => void) | undefined;
  /** When its connection was lost. */
  leftAt: number | undefined;
  readonly #world: World;
  readonly #told: Payload[] = [];

  constructor(world: World, intents: number, shard: readonly [number, number]) {
    this.#world = world;
    this.intents = intents;
    this.shard = shard;
  }

  get sequence(): number {
    return this.#told.length;
  }

  isAlive(now: number): boolean {
    return this.leftAt === undefined || now - this.leftAt < this.#world.limits.sessionLifeMs;
  }

  dispatch(name: GatewayDispatchEvents, data: object): void {
    const payload = { op: GatewayOpcodes.Dispatch, t: name, s: this.sequence + 1, d: data };
    this.#told.push(payload);
    this.send?.(payload);
  }

  /** What has happened, if this session may hear of it. */
  tell(happening: Happening): void {
    const intent = intentOf[happening.name];
    if (intent !== undefined && (this.intents & intent) === 0) return;
    const { channel } = happening;
    if (channel !== undefined && !this.#world.mayBot(PermissionFlagsBits.ViewChannel, channel)) return;
    this.dispatch(
      happening.name,
      'message' in happening ? this.#messageEvent(happening.message) : structuredClone(happening.data),
    );
  }

  missedSince(sequence: number): readonly Payload[] {
    return this.#told.slice(sequence);
  }

  #messageEvent(message: APIMessage): object {
    const { guild } = this.#world;
    const mayRead = (this.intents & GatewayIntentBits.MessageContent) !== 0;
    const author = message.webhook_id === undefined ? guild.members.get(message.author.id) : undefined;
    const mentions = message.mentions.map((user) => {
      const member = guild.members.get(user.id);
      return member === undefined ? user : { ...user, member: guild.memberOfMessage(member) };
    });
    // What is told stays as it was told, whatever becomes of the message.
    return structuredClone({
      ...this.#world.asRead(message, mayRead),
      mentions,
      guild_id: guild.id,
      ...(author === undefined ? {} : { member: guild.memberOfMessage(author) }),
    });
  }
}
