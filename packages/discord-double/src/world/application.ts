import { randomBytes } from 'node:crypto';
import { type APIApplicationCommand, type APIUser, ApplicationFlags } from 'discord-api-types/v10';
import type { Ground } from './ground.ts';

/** The bot as the developer portal knows it. */
export class Application {
  readonly id: string;
  readonly name: string;
  /** The switches of the Bot page. */
  readonly privileged = { messageContent: true, guildMembers: false, presences: false };
  /** By guild; those of every guild under the application's own id. */
  readonly commands = new Map<string, readonly APIApplicationCommand[]>();
  /** By a command's name, who may use it whatever the command itself says: ids of roles and users. */
  readonly allowed = new Map<string, ReadonlySet<string>>();
  token: string;

  constructor({ ids }: Ground, name: string) {
    this.id = ids.next();
    this.name = name;
    this.token = newToken(this.id);
  }

  /** The old one is worth nothing any more. */
  resetToken(): string {
    this.token = newToken(this.id);
    return this.token;
  }

  get flags(): ApplicationFlags {
    const { messageContent, guildMembers, presences } = this.privileged;
    return (
      (messageContent ? ApplicationFlags.GatewayMessageContentLimited : 0) |
      (guildMembers ? ApplicationFlags.GatewayGuildMembersLimited : 0) |
      (presences ? ApplicationFlags.GatewayPresenceLimited : 0)
    );
  }

  shown(bot: APIUser): object {
    const { id, name, flags } = this;
    return {
      id,
      name,
      flags,
      bot,
      icon: null,
      description: '',
      bot_public: true,
      bot_require_code_grant: false,
      verify_key: '',
      owner: null,
      team: null,
      integration_types_config: { 0: {} },
    };
  }
}

/** Of the three parts that tokens have, the first is the id. */
function newToken(id: string): string {
  return [Buffer.from(id), randomBytes(4), randomBytes(28)]
    .map((part) => part.toString('base64url'))
    .join('.');
}
