import type { Clock } from '@steward/service-kit/clock';
import { type APIMessage, PermissionFlagsBits } from 'discord-api-types/v10';
import type { Limits } from '../rules/limits.ts';
import { Snowflakes } from '../rules/snowflakes.ts';
import { Application } from './application.ts';
import { type Channel, isThread } from './channel.ts';
import type { Ground, Happening, Place } from './ground.ts';
import { Guild, type Member } from './guild.ts';
import type { Interaction } from './interaction.ts';

/** What the invitation asks for. */
const invitedWith =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.ManageWebhooks;

/** One guild, and the application whose bot is its member. */
export class World implements Ground {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly ids: Snowflakes;
  readonly application: Application;
  readonly guild: Guild;
  /** The application's user in the guild. */
  readonly bot: Member;
  /** By their tokens. */
  readonly interactions = new Map<string, Interaction>();
  readonly #listeners = new Set<(happening: Happening) => void>();

  constructor(clock: Clock, limits: Limits) {
    this.clock = clock;
    this.limits = limits;
    this.ids = new Snowflakes(() => clock.date());
    this.application = new Application(this, 'Steward');
    this.guild = new Guild(this, 'Our farm');
    const role = this.guild.addRole(this.application.name, invitedWith);
    this.bot = this.guild.addMember(this.application.name, { roles: [role], isBot: true });
  }

  readonly tell = (happening: Happening): void => {
    for (const listener of this.#listeners) listener(happening);
  };

  listen(listener: (happening: Happening) => void): void {
    this.#listeners.add(listener);
  }

  channel(id: string): Channel | undefined {
    return this.guild.channels.get(id);
  }

  mayBot(permission: bigint, channel: Place): boolean {
    return (this.guild.permissionsOf(this.bot, channel) & permission) === permission;
  }

  /** What posting into it takes. */
  postPermission(channel: Channel): bigint {
    return isThread(channel) ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
  }

  /** What an application is told of a message: nothing of its content, where it may not read that and is not meant. */
  asRead(message: APIMessage, mayReadContent: boolean): APIMessage {
    const isMeant =
      message.author.id === this.bot.user.id ||
      message.mentions.some(({ id }) => id === this.bot.user.id) ||
      message.mention_roles.some((id) => this.bot.roles.has(id));
    if (mayReadContent || isMeant) return message;
    const { poll: _poll, message_snapshots: _snapshots, ...rest } = message;
    return { ...rest, content: '', embeds: [], attachments: [], components: [] };
  }
}
