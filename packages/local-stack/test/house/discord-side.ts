import { join } from 'node:path';
import { Discord } from '@steward/discord-double/discord';
import { withoutRateLimits } from '@steward/discord-double/rules/limits';
import { Program } from '@steward/testing/program';
import { nodeOptionsOf } from '@steward/tools/bundle/services';
import type { ChaosFault } from '../chaos/faults.ts';
import { Ward } from '../chaos/ward.ts';
import { Gauge } from '../soak/gauge.ts';
import { gaugedBy } from '../soak/surroundings.ts';
import { gap, wrongsOf } from './told-once.ts';

export interface DiscordPlace {
  readonly directory: string;
  readonly url: string;
  readonly key: string;
}

const toWebhook = 'POST /webhooks/:webhookId/:token';

/** Discord, its bot as a process of its own, and Ann, who speaks there with those on the farm. */
export class DiscordSide implements AsyncDisposable {
  readonly bot: Ward;
  readonly gauge: Gauge;
  /** How many lines Ann has said. */
  said = 0;
  readonly #discord: Discord;
  readonly #ann: ReturnType<Discord['guild']['addMember']>;

  private constructor(discord: Discord, { directory, url, key }: DiscordPlace) {
    this.#discord = discord;
    this.#ann = discord.guild.addMember('ann', { nick: 'Ann' });
    this.gauge = new Gauge(join(directory, 'discord-bot.gauge'));
    this.bot = new Ward(
      'discord bot',
      async () =>
        new Program(
          'packages/discord-bot/src/main.ts',
          [],
          {
            DISCORD_TOKEN: discord.token,
            DISCORD_CHANNEL: discord.channel.id,
            DISCORD_API: discord.api,
            STEWARD_URL: url,
            STEWARD_KEY: key,
            DATA_DIR: join(directory, 'bot'),
            LOG_FORMAT: 'json',
            ...gaugedBy(this.gauge),
          },
          { nodeOptions: nodeOptionsOf('discord-bot') },
        ),
    );
  }

  static async open(place: DiscordPlace): Promise<DiscordSide> {
    const discord = await Discord.start({ limits: withoutRateLimits });
    await using opening = new AsyncDisposableStack();
    const side = opening.use(new DiscordSide(discord, place));
    await side.bot.start();
    opening.move();
    return side;
  }

  get isListening(): boolean {
    return this.#discord.gateway.counts.identified > 0;
  }

  /** What goes wrong on this side, each until it is over. */
  get faults(): readonly ChaosFault[] {
    return [
      { name: 'discord connection dropped', strike: async () => this.#discord.gateway.drop() },
      {
        name: 'discord answer lost',
        strike: async () => void this.#discord.faults.add(toWebhook, { after: 502 }),
      },
      { name: 'SIGKILL discord bot', strike: () => this.bot.strike('SIGKILL', 0) },
    ];
  }

  /** Ann says the next line. */
  say(): string {
    this.said += 1;
    const line = `d${this.said}.`;
    this.#discord.people.say(this.#ann, line);
    return line;
  }

  shows(text: string): boolean {
    return this.#lines().some((line) => line.includes(text));
  }

  /** What of the numbered lines that were said on the farm the channel has twice, out of order or not at all. */
  violations(said: readonly number[], numberOf: (line: string) => number | undefined): readonly string[] {
    const told = this.#lines()
      .map((line) => (line.includes('were not recorded') ? gap : numberOf(line)))
      .filter((each) => each !== undefined);
    return wrongsOf('the channel', told, said);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bot.stop();
    await this.#discord[Symbol.asyncDispose]();
  }

  /** What the bot has posted, line by line. */
  #lines(): readonly string[] {
    return this.#discord.channel.messages
      .filter(({ author }) => author.id !== this.#ann.user.id)
      .flatMap(({ content }) => content.split('\n'));
  }
}
