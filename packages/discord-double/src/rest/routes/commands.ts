import type { APIApplicationCommand } from 'discord-api-types/v10';
import { refused } from '../../rules/discord-error.ts';
import { read } from '../../rules/forms.ts';
import { RateWindow } from '../../rules/limits.ts';
import type { World } from '../../world/world.ts';
import { type CommandForm, commandsForm } from '../command-form.ts';
import type { Call, Route } from '../route.ts';

/** Of one guild, or of all together. */
const mostCommands = 100;

/** Which commands the application has. */
export function commandRoutes(world: World): readonly Route[] {
  const { application, guild, limits, clock, ids } = world;
  const creates = new Map<string, RateWindow>();

  /** Under whose id they are kept. */
  const ownerOf = ({ params: { applicationId, guildId } }: Call): string => {
    if (applicationId !== application.id) throw refused('wrongApplication');
    if (guildId !== undefined && guildId !== guild.id) throw refused('missingAccess');
    return guildId ?? application.id;
  };

  const list = (call: Call) => application.commands.get(ownerOf(call)) ?? [];

  const replace = (call: Call): readonly APIApplicationCommand[] => {
    const owner = ownerOf(call);
    const forms = read(commandsForm, call.body);
    if (forms.length > mostCommands) throw refused('tooManyCommands');
    const earlier = new Map(list(call).map((command) => [command.name, command]));
    const created = creates.get(owner) ?? new RateWindow();
    creates.set(owner, created);
    const fresh = forms.filter(({ name }) => !earlier.has(name)).length;
    if (created.left(clock.now(), limits.commandCreates).remaining < fresh) throw refused('tooManyCreates');
    for (let made = 0; made < fresh; made += 1) created.take(clock.now(), limits.commandCreates);
    const commands = forms.map((form) => asCommand(form, owner, earlier.get(form.name)));
    application.commands.set(owner, commands);
    return commands;
  };

  const asCommand = (
    { default_member_permissions: permissions, ...form }: CommandForm,
    owner: string,
    earlier: APIApplicationCommand | undefined,
  ): APIApplicationCommand =>
    ({
      ...form,
      default_member_permissions: permissions ?? null,
      id: earlier?.id ?? ids.next(),
      application_id: application.id,
      version: ids.next(),
      ...(owner === application.id ? {} : { guild_id: owner }),
    }) as APIApplicationCommand;

  return ['/applications/:applicationId', '/applications/:applicationId/guilds/:guildId'].flatMap(
    (path): readonly Route[] => [
      { route: `GET ${path}/commands`, by: 'bot', major: ['guildId'], answer: list },
      { route: `PUT ${path}/commands`, by: 'bot', major: ['guildId'], answer: replace },
    ],
  );
}
