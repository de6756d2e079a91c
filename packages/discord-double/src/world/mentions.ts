import { type APIMessage, type APIUser, PermissionFlagsBits } from 'discord-api-types/v10';
import type { Channel } from './channel.ts';
import type { Guild, Member } from './guild.ts';

/** Whom a message may call; who is named in it and not here is shown, and not called. */
export interface AllowedMentions {
  readonly parse?: readonly ('users' | 'roles' | 'everyone')[] | undefined;
  readonly users?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
}

export type Called = Pick<APIMessage, 'mentions' | 'mention_roles' | 'mention_everyone'>;

/** Where something is said; and by whom, where that is a member. */
export interface Occasion {
  readonly guild: Guild;
  readonly channel: Channel;
  readonly by?: Member;
}

/** Whom a text calls. Someone who may not call everybody calls nobody by it. */
export function calledBy(
  content: string,
  { parse = [], users = [], roles = [] }: AllowedMentions,
  { guild, channel, by }: Occasion,
): Called {
  const mayCallAll =
    by === undefined || (guild.permissionsOf(by, channel) & PermissionFlagsBits.MentionEveryone) !== 0n;
  const called = (pattern: RegExp): readonly string[] => [
    ...new Set([...content.matchAll(pattern)].map(([, id = '']) => id)),
  ];
  return {
    mentions: called(/<@!?(\d{17,19})>/g)
      .filter((id) => parse.includes('users') || users.includes(id))
      .map((id): APIUser | undefined => guild.members.get(id)?.user)
      .filter((user) => user !== undefined),
    mention_roles: called(/<@&(\d{17,19})>/g)
      .filter((id) => parse.includes('roles') || roles.includes(id))
      .filter((id) => mayCallAll || guild.roles.get(id)?.mentionable === true),
    mention_everyone: mayCallAll && parse.includes('everyone') && /@(?:everyone|here)/.test(content),
  };
}
