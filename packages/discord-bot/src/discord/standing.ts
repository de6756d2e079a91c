import type { API } from '@discordjs/core/http-only';
import { OperatorError } from '@steward/service-kit/process/errors';
import {
  type APIGuild,
  type APIGuildMember,
  type APIOverwrite,
  ApplicationFlags,
  ChannelType,
  PermissionFlagsBits,
  WebhookType,
} from 'discord-api-types/v10';
import { newsName } from '../text/outward.ts';
import type { OwnWebhook } from './channel.ts';
import { intentRemedy, reasonOf, verdictOf } from './errors.ts';

/** How the bot stands with Discord: who it is, and what it may in its channel. */
export interface Standing {
  readonly application: string;
  readonly self: string;
  readonly name: string;
  readonly guild: APIGuild;
  readonly channelName: string;
  /** The newest message of the channel. */
  readonly newest: string;
  readonly webhook: OwnWebhook | undefined;
  /** What could be better, and is no reason to stop. */
  readonly advice: readonly string[];
}

const { ViewChannel, SendMessages, SendMessagesInThreads, ReadMessageHistory, ManageWebhooks, AddReactions } =
  PermissionFlagsBits;

const inThreads = { bit: SendMessagesInThreads, name: 'Send Messages in Threads' };
const needed = [
  { bit: ViewChannel, name: 'View Channel' },
  { bit: SendMessages, name: 'Send Messages' },
  { bit: ReadMessageHistory, name: 'Read Message History' },
];

const threads: readonly ChannelType[] = [
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
];

const rooms: readonly ChannelType[] = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ...threads,
];

/** Looks at all that the bot needs of Discord. Throws an OperatorError with a line for each thing that is missing. */
export async function standingOf(api: API, channelId: string): Promise<Standing> {
  const missing: string[] = [];
  const [user, application] = [await api.users.getCurrent(), await api.applications.getCurrent()];
  if (!hasContent(application.flags ?? 0)) missing.push(intentRemedy);
  const channel = await api.channels.get(channelId).catch(fixed);
  if (!('guild_id' in channel) || channel.guild_id === undefined || !rooms.includes(channel.type))
    throw new OperatorError(
      ...missing,
      'DISCORD_CHANNEL is not a channel in which people write: use a text channel of a server (right-click it, Copy Channel ID)',
    );
  const guild = await api.guilds.get(channel.guild_id).catch(fixed);
  const member = await api.guilds.getMember(channel.guild_id, user.id).catch(fixed);
  const overwrites = 'permission_overwrites' in channel ? (channel.permission_overwrites ?? []) : [];
  const isThread = threads.includes(channel.type);
  // A thread has the permissions of the channel that it is in, which this one may not see.
  const may = isThread ? undefined : permissionsIn(guild, member, overwrites);
  const lacks = (bit: bigint) => may !== undefined && (may & bit) === 0n;
  const wanted = isThread ? [...needed, inThreads] : needed;
  const names = wanted.filter(({ bit }) => lacks(bit)).map(({ name }) => name);
  if (names.length > 0)
    missing.push(`the bot lacks permissions in #${channel.name}: give its role ${names.join(', ')} there`);
  if (missing.length > 0) throw new OperatorError(...missing);
  const mayNames = !isThread && !lacks(ManageWebhooks);
  const advice = [
    ...(mayNames
      ? []
      : [
          'the bot posts under its own name, with the player’s name before each line: with Manage Webhooks, players have their own names',
        ]),
    ...(lacks(AddReactions)
      ? ['people do not see when their message was cut or not shown in the game: give Add Reactions']
      : []),
  ];
  return {
    application: application.id,
    self: user.id,
    name: user.username,
    guild,
    channelName: channel.name ?? channelId,
    // Before the first message there is nothing newer than the channel.
    newest: ('last_message_id' in channel ? channel.last_message_id : undefined) ?? channelId,
    webhook: mayNames ? await ownWebhook(api, channelId, application.id) : undefined,
    advice,
  };
}

function hasContent(flags: ApplicationFlags): boolean {
  const either = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
  return (flags & either) !== 0;
}

/** What no other try mends is a line for whoever runs the bot. */
function fixed(error: unknown): never {
  throw verdictOf(error) === 'uncertain' ? error : new OperatorError(reasonOf(error));
}

/** The one that an earlier start has made, or a new one; none where Discord gives none, as where there are too many already. */
async function ownWebhook(api: API, channelId: string, application: string): Promise<OwnWebhook | undefined> {
  try {
    const webhooks = await api.channels.getWebhooks(channelId);
    const own = webhooks.find(
      ({ type, application_id: by }) => type === WebhookType.Incoming && by === application,
    );
    const { id, token } = own ?? (await api.channels.createWebhook(channelId, { name: newsName }));
    return token === undefined ? undefined : { id, token };
  } catch (error) {
    const verdict = verdictOf(error);
    if (verdict !== 'later' && verdict !== 'refused') throw error;
    return undefined;
  }
}

/** As Discord computes them: of the roles, then what the channel says of everybody, of the roles, and of this member. */
function permissionsIn(
  { id, owner_id, roles }: Pick<APIGuild, 'id' | 'owner_id' | 'roles'>,
  member: Pick<APIGuildMember, 'roles' | 'user'>,
  overwrites: readonly Pick<APIOverwrite, 'id' | 'allow' | 'deny'>[],
): bigint {
  const all = ~0n;
  const has = (role: string) => role === id || member.roles.includes(role);
  const base = roles
    .filter((role) => has(role.id))
    .reduce((bits, { permissions }) => bits | BigInt(permissions), 0n);
  if (member.user.id === owner_id || (base & PermissionFlagsBits.Administrator) !== 0n) return all;
  const steps = [
    overwrites.filter((each) => each.id === id),
    overwrites.filter((each) => each.id !== id && member.roles.includes(each.id)),
    overwrites.filter((each) => each.id === member.user.id),
  ];
  return steps.reduce((bits, step) => {
    const [deny, allow] = (['deny', 'allow'] as const).map((side) =>
      step.reduce((sum, each) => sum | BigInt(each[side]), 0n),
    ) as [bigint, bigint];
    return (bits & ~deny) | allow;
  }, base);
}
