import {
  type APIApplicationCommand,
  GatewayDispatchEvents,
  PermissionFlagsBits,
} from 'discord-api-types/v10';
import type { Channel } from '../world/channel.ts';
import type { Member } from '../world/guild.ts';
import { Interaction } from '../world/interaction.ts';
import type { World } from '../world/world.ts';
import { type EnteredOptions, isMember, isRole, optionsOf } from './entered-options.ts';

/** The commands that somebody is offered. */
export function offeredTo(world: World, member: Member, channel: Channel): readonly APIApplicationCommand[] {
  const { application, guild } = world;
  const permissions = guild.permissionsOf(member, channel);
  if ((permissions & PermissionFlagsBits.UseApplicationCommands) === 0n) return [];
  const all = [guild.id, application.id].flatMap((owner) => application.commands.get(owner) ?? []);
  return all.filter(({ name, default_member_permissions: needed }) => {
    const allowed = application.allowed.get(name);
    if (allowed !== undefined) return [member.user.id, ...member.roles].some((id) => allowed.has(id));
    if (needed === null) return true;
    // Nothing at all is what administrators alone have more than.
    const bits = BigInt(needed) === 0n ? PermissionFlagsBits.Administrator : BigInt(needed);
    return (permissions & bits) === bits;
  });
}

/** Uses a command as a member's client does: it offers what there is, and sends nothing that breaks what a command asks for. */
export function useCommand(
  world: World,
  member: Member,
  channel: Channel,
  words: string,
  entered: EnteredOptions,
): Interaction {
  const [name = '', ...path] = words.replace(/^\//, '').split(' ');
  const command = offeredTo(world, member, channel).find((one) => one.name === name);
  if (command === undefined) throw new Error(`${member.user.username} is not offered /${name}`);
  const interaction = new Interaction({
    ground: world,
    channel,
    caller: member,
    bot: world.bot,
    command: name,
  });
  const data = {
    id: command.id,
    name,
    type: command.type,
    guild_id: command.guild_id,
    options: optionsOf(command.options ?? [], path, entered),
    resolved: resolvedOf(world, entered),
  };
  world.interactions.set(interaction.token, interaction);
  world.tell({
    name: GatewayDispatchEvents.InteractionCreate,
    data: interactionEvent(world, interaction, member, data),
  });
  return interaction;
}

function interactionEvent(world: World, interaction: Interaction, member: Member, data: object): object {
  const { guild, application, bot } = world;
  const { id, token, channel } = interaction;
  return {
    id,
    token,
    data,
    type: 2,
    version: 1,
    application_id: application.id,
    guild_id: guild.id,
    guild: { id: guild.id, locale: 'en-US', features: [] },
    channel_id: channel.id,
    channel: channel.shown(),
    member: { ...guild.memberShown(member), permissions: String(guild.permissionsOf(member, channel)) },
    app_permissions: String(guild.permissionsOf(bot, channel)),
    locale: 'en-US',
    guild_locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: { 0: guild.id },
    context: 0,
    attachment_size_limit: 10_485_760,
  };
}

/** What the ids among the options stand for. */
function resolvedOf({ guild }: World, entered: EnteredOptions): object {
  const members = Object.values(entered).filter(isMember);
  const roles = Object.values(entered).filter(isRole);
  return {
    users: Object.fromEntries(members.map(({ user }) => [user.id, user])),
    members: Object.fromEntries(members.map((member) => [member.user.id, guild.memberOfMessage(member)])),
    roles: Object.fromEntries(roles.map((role) => [role.id, role])),
  };
}
