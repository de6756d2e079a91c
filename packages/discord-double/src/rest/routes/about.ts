import { refused } from '../../rules/discord-error.ts';
import type { Member } from '../../world/guild.ts';
import type { World } from '../../world/world.ts';
import type { Call, Route } from '../route.ts';
import { visibleChannel } from './messages.ts';

/** Who the bot is, and what it is in. */
export function aboutRoutes(world: World, gateway: () => { readonly url: string }): readonly Route[] {
  const { guild, application, bot } = world;
  const ofGuild = (answer: (call: Call) => object) => (call: Call) => {
    if (call.params['guildId'] !== guild.id) throw refused('unknownGuild');
    return answer(call);
  };
  const read = (path: string, answer: (call: Call) => object): Route => ({
    route: `GET ${path}`,
    by: 'bot',
    major: ['guildId', 'channelId'],
    answer,
  });
  return [
    { ...read('/gateway', () => ({ url: gateway().url })), by: 'token' },
    read('/gateway/bot', gateway),
    read('/users/@me', () => bot.user),
    read('/users/@me/guilds', () => [
      { ...guild.described(), permissions: String(guild.permissionsOf(bot)) },
    ]),
    read('/applications/@me', () => application.shown(bot.user)),
    read('/oauth2/applications/@me', () => application.shown(bot.user)),
    read('/channels/:channelId', ({ params }) => visibleChannel(world, params['channelId']).shown()),
    read(
      '/guilds/:guildId',
      ofGuild(() => guild.described()),
    ),
    read(
      '/guilds/:guildId/roles',
      ofGuild(() => [...guild.roles.values()]),
    ),
    read(
      '/guilds/:guildId/channels',
      ofGuild(() => [...guild.channels.values()].map((channel) => channel.shown())),
    ),
    read(
      '/guilds/:guildId/members/:userId',
      ofGuild(({ params }) => guild.memberShown(knownMember(params['userId']))),
    ),
  ];

  function knownMember(id = ''): Member {
    const member = id === '@me' ? bot : guild.members.get(id);
    if (member === undefined) throw refused('unknownMember');
    return member;
  }
}
