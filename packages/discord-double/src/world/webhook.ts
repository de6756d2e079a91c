import { type APIUser, type APIWebhook, WebhookType } from 'discord-api-types/v10';

/** A door through which whoever knows its token posts into a channel. */
export interface Webhook {
  readonly id: string;
  readonly token: string;
  readonly name: string;
  readonly avatar: string | null;
  readonly guildId: string;
  readonly channelId: string;
  /** Null: a person made it. */
  readonly applicationId: string | null;
  readonly maker: APIUser;
}

/** Its token is told to the application that made it, and of those that people made. */
export function webhookShown(
  { id, token, name, avatar, guildId, channelId, applicationId, maker }: Webhook,
  asker: string,
): APIWebhook {
  return {
    id,
    type: WebhookType.Incoming,
    guild_id: guildId,
    channel_id: channelId,
    name,
    avatar,
    application_id: applicationId,
    user: maker,
    ...(applicationId === null || applicationId === asker ? { token } : {}),
  };
}
