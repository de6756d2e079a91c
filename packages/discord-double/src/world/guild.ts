import {
  type APIGuildMember,
  type APIRole,
  type APIUser,
  ChannelType,
  GatewayDispatchEvents,
  type GuildMemberFlags,
  PermissionFlagsBits,
  type RoleFlags,
} from 'discord-api-types/v10';
import { Channel } from './channel.ts';
import type { Ground, Place } from './ground.ts';

/** What everybody may where nobody has said otherwise. */
const usualPermissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.UseApplicationCommands;

export const everyPermission = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

export interface Member {
  readonly user: APIUser;
  nick: string | null;
  /** Ids; the guild's own id, the role of everybody, is not among them. */
  readonly roles: Set<string>;
  readonly joinedAt: Date;
}

export interface NewMember {
  /** As the guild shows it; without it, the name is shown. */
  readonly nick?: string;
  readonly globalName?: string;
  readonly roles?: readonly APIRole[];
  readonly isBot?: boolean;
}

/** A server with its roles, members and channels. */
export class Guild {
  readonly id: string;
  readonly name: string;
  readonly roles = new Map<string, APIRole>();
  readonly members = new Map<string, Member>();
  readonly channels = new Map<string, Channel>();
  readonly owner: Member;
  readonly #ground: Ground;

  constructor(ground: Ground, name: string) {
    this.#ground = ground;
    this.id = ground.ids.next();
    this.name = name;
    this.roles.set(this.id, { ...newRole(this.id, '@everyone', usualPermissions), position: 0 });
    this.owner = this.addMember('owner');
  }

  addRole(name: string, permissions = 0n): APIRole {
    const role = newRole(this.#ground.ids.next(), name, permissions);
    this.roles.set(role.id, role);
    this.#ground.tell({
      name: GatewayDispatchEvents.GuildRoleCreate,
      data: { guild_id: this.id, role },
    });
    return role;
  }

  addMember(name: string, { nick, globalName, roles = [], isBot = false }: NewMember = {}): Member {
    const user: APIUser = {
      id: this.#ground.ids.next(),
      username: name,
      discriminator: '0',
      global_name: globalName ?? null,
      avatar: null,
      ...(isBot ? { bot: true } : {}),
    };
    const member: Member = {
      user,
      nick: nick ?? null,
      roles: new Set(roles.map(({ id }) => id)),
      joinedAt: this.#ground.clock.date(),
    };
    this.members.set(user.id, member);
    return member;
  }

  addChannel(
    name: string,
    type: ChannelType.GuildText | ChannelType.GuildVoice | ChannelType.PublicThread = ChannelType.GuildText,
    parent?: Channel,
  ): Channel {
    const channel = new Channel(this.#ground, this.id, name, type, parent?.id);
    this.channels.set(channel.id, channel);
    this.#ground.tell({ name: GatewayDispatchEvents.ChannelCreate, data: channel.shown(), channel });
    return channel;
  }

  renameRole(role: APIRole, name: string): void {
    role.name = name;
    this.#ground.tell({ name: GatewayDispatchEvents.GuildRoleUpdate, data: { guild_id: this.id, role } });
  }

  renameChannel(channel: Channel, name: string): void {
    channel.name = name;
    this.#ground.tell({ name: GatewayDispatchEvents.ChannelUpdate, data: channel.shown(), channel });
  }

  /** Its messages and webhooks are gone with it. */
  deleteChannel(channel: Channel): void {
    this.channels.delete(channel.id);
    this.#ground.tell({ name: GatewayDispatchEvents.ChannelDelete, data: channel.shown() });
  }

  /** Source: the documentation's page on permissions, computing them. */
  permissionsOf(member: Member, channel?: Place): bigint {
    if (member === this.owner) return everyPermission;
    const everybody = BigInt(this.roles.get(this.id)?.permissions ?? 0);
    const roles = [...member.roles].map((id) => BigInt(this.roles.get(id)?.permissions ?? 0));
    const ofRoles = roles.reduce((all, bits) => all | bits, everybody);
    if ((ofRoles & PermissionFlagsBits.Administrator) !== 0n) return everyPermission;
    if (channel === undefined) return ofRoles;
    const { overwrites } = channel;
    const inTurn = [
      [overwrites.get(this.id)],
      [...member.roles].map((id) => overwrites.get(id)),
      [overwrites.get(member.user.id)],
    ];
    return inTurn.reduce((bits, group) => {
      const deny = group.reduce((all, overwrite) => all | (overwrite?.deny ?? 0n), 0n);
      const allow = group.reduce((all, overwrite) => all | (overwrite?.allow ?? 0n), 0n);
      return (bits & ~deny) | allow;
    }, ofRoles);
  }

  /** As it is told to a bot that comes. */
  shown(): object {
    return {
      ...this.described(),
      joined_at: this.owner.joinedAt.toISOString(),
      large: false,
      unavailable: false,
      member_count: this.members.size,
      voice_states: [],
      members: [...this.members.values()]
        .filter(({ user }) => user.bot === true)
        .map((one) => this.memberShown(one)),
      channels: [...this.channels.values()].map((channel) => channel.shown()),
      threads: [],
      presences: [],
      stage_instances: [],
      guild_scheduled_events: [],
      soundboard_sounds: [],
    };
  }

  described(): object {
    return {
      id: this.id,
      name: this.name,
      owner_id: this.owner.user.id,
      icon: null,
      splash: null,
      discovery_splash: null,
      description: null,
      features: [],
      emojis: [],
      stickers: [],
      roles: [...this.roles.values()],
      afk_channel_id: null,
      afk_timeout: 300,
      verification_level: 1,
      default_message_notifications: 1,
      explicit_content_filter: 0,
      mfa_level: 0,
      system_channel_id: null,
      system_channel_flags: 0,
      rules_channel_id: null,
      public_updates_channel_id: null,
      preferred_locale: 'en-US',
      premium_tier: 0,
      nsfw_level: 0,
    };
  }

  memberShown({ user, nick, roles, joinedAt }: Member): APIGuildMember {
    return { ...this.memberOfMessage({ nick, roles, joinedAt }), user };
  }

  /** As a message tells of its author, who is named beside it. */
  memberOfMessage({
    nick,
    roles,
    joinedAt,
  }: Pick<Member, 'nick' | 'roles' | 'joinedAt'>): Omit<APIGuildMember, 'user'> {
    return {
      nick,
      avatar: null,
      banner: null,
      roles: [...roles],
      joined_at: joinedAt.toISOString(),
      premium_since: null,
      deaf: false,
      mute: false,
      pending: false,
      communication_disabled_until: null,
      flags: 0 as GuildMemberFlags,
    };
  }
}

function newRole(id: string, name: string, permissions: bigint): APIRole {
  return {
    id,
    name,
    permissions: String(permissions),
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: 1,
    managed: false,
    mentionable: false,
    flags: 0 as RoleFlags,
  };
}
