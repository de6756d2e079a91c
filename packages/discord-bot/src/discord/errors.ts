import { DiscordAPIError, HTTPError } from '@discordjs/rest';

/** What an error of Discord means for what was asked. */
export type Verdict =
  /** Nobody knows whether it was done. */
  | 'uncertain'
  /** It was not done, and may be later. */
  | 'later'
  /** There is no such name to speak under. */
  | 'name'
  /** The webhook is gone. */
  | 'webhook'
  /** This is never done. */
  | 'refused'
  /** Nothing is done for this bot any more. */
  | 'over';

const webhookGone: readonly unknown[] = [10015, 50027];

/** What whoever runs the bot can mend meanwhile: 10003 and the others that a permission or a place is missing. */
const mendable: readonly unknown[] = [10003, 10004, 50001, 50013, 160005];

export function verdictOf(error: unknown): Verdict {
  if (error instanceof DiscordAPIError) {
    const { status, code } = error;
    if (webhookGone.includes(code)) return 'webhook';
    if (status === 401) return 'over';
    if (mendable.includes(code) || status === 429 || status === 403 || status === 404) return 'later';
    if (status >= 500) return 'uncertain';
    return code === 50035 && /username/.test(error.message) ? 'name' : 'refused';
  }
  // A wrong token makes the library forget it.
  if (error instanceof Error && /token/i.test(error.message) && /Expected/.test(error.message)) return 'over';
  return 'uncertain';
}

/** Whether what was asked for does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 404;
}

const remedies: Readonly<Record<string, string>> = {
  10003: 'there is no such channel: check DISCORD_CHANNEL (right-click the channel, Copy Channel ID)',
  10004: 'the bot is on no such server: invite it with the link of docs/discord.md',
  50001: 'the bot does not see the channel: give its role View Channel there',
  50013:
    'the bot lacks a permission in the channel: give its role Send Messages and Read Message History there',
  40060:
    'this use was answered already: if another bot has the same DISCORD_TOKEN, give each an application and a token of its own',
};

/** In one line what went wrong, and what to do where that is known. */
export function reasonOf(error: unknown): string {
  if (error instanceof DiscordAPIError) {
    if (error.status === 401) return tokenRemedy;
    return (
      remedies[String(error.code)] ?? `Discord said ${error.status} (${error.code}): ${oneLineOf(error)}`
    );
  }
  if (error instanceof HTTPError) return `Discord answered with ${error.status}`;
  return error instanceof Error ? oneLineOf(error) : String(error);
}

export const tokenRemedy =
  'Discord does not accept DISCORD_TOKEN: copy the token of the page Bot in the Developer Portal (Reset Token makes a new one)';

export const intentRemedy =
  'Discord does not show the bot what people write: switch on Message Content Intent on the page Bot in the Developer Portal';

function oneLineOf({ message, cause }: Error): string {
  const because = cause instanceof Error ? `: ${cause.message}` : '';
  return `${message}${because}`.replace(/\s*\n\s*/g, '; ');
}
