import { join } from 'node:path';
import { Discord, type DiscordOptions } from '@steward/discord-double/discord';
import { withoutRateLimits } from '@steward/discord-double/rules/limits';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { type Environment, readConfiguration } from '@steward/service-kit/configuration/read';
import { Changes } from '@steward/testing/changes';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { Bot } from '../../src/bot.ts';
import { variables } from '../../src/configuration.ts';
import { PlacesFile } from '../../src/relay/places.ts';
import { farmStage, key } from './farm-stage.ts';

interface StageOptions {
  readonly environment?: Environment;
  readonly discord?: DiscordOptions;
  readonly farm?: Parameters<typeof farmStage>[0];
  /** The bot's. */
  readonly clock?: Clock;
}

/** Discord and a farm, and the bot between them, which a test starts and stops. */
export async function botStage({
  environment = {},
  discord: options = {},
  farm: farmOptions,
  clock = systemClock,
}: StageOptions = {}) {
  const discord = await Discord.start({ limits: withoutRateLimits, ...options });
  const farm = await farmStage(farmOptions);
  const data = temporaryDirectory();
  const changes = new Changes();
  discord.onChange(changes.told);
  const lines: { message: string; [fact: string]: unknown }[] = [];
  const write =
    (level: string) =>
    (...said: [string] | [object, string]): void => {
      const [facts, message] = said.length === 1 ? [{}, ...said] : said;
      lines.push({ level, message, ...facts });
      changes.told();
    };
  const log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    fatal: write('fatal'),
  };
  const variablesOf = (more: Environment = {}): Environment => ({
    DISCORD_TOKEN: discord.token,
    DISCORD_CHANNEL: discord.channel.id,
    DISCORD_API: discord.api,
    STEWARD_URL: farm.url,
    STEWARD_KEY: key,
    DATA_DIR: data.path,
    ...environment,
    ...more,
  });
  const places = join(data.path, 'places.json');
  const running = new Set<Bot>();

  farm.onSaid(changes.told);

  return {
    discord,
    farm,
    lines,
    changes,
    places,
    environment: variablesOf,
    ann: discord.guild.addMember('ann', { nick: 'Ann' }),
    /** Starts a bot; `ended` says how it ends. */
    async start(more?: Environment) {
      const file = await PlacesFile.read(places, discord.channel.id);
      const bot = new Bot(readConfiguration(variables, variablesOf(more)), file, {
        clock,
        random: Math.random,
        log,
      });
      running.add(bot);
      const ended = bot.run();
      ended.catch(() => {});
      return {
        ended,
        async stop() {
          running.delete(bot);
          await bot.stop();
          await ended;
        },
      };
    },
    /** Starts a bot; resolves when it hears both sides. */
    async open(number = 1, more?: Environment) {
      const bot = await this.start(more);
      await Promise.race([this.logged(/session with Discord has begun/, number), bot.ended]);
      return bot;
    },
    /** Until a line of the bot's log says so; the first, or the one of that number. */
    logged(pattern: RegExp, number = 1) {
      return changes.until(() => lines.filter(({ message }) => pattern.test(message))[number - 1], {
        missing: () => `no line ${pattern} among ${JSON.stringify(lines, undefined, 1)}`,
      });
    },
    /** What stands in the channel by now, once there is so much. */
    shown(count: number) {
      const { channel } = discord;
      return changes.until(
        () => {
          const texts = channel.messages.map(({ author, content }) => `${author.username}: ${content}`);
          return texts.length >= count ? texts : undefined;
        },
        {
          missing: () =>
            `only ${channel.messages.length} of ${count}: ${JSON.stringify(lines, undefined, 1)}`,
        },
      );
    },
    /** The same, once some of it has this in it. */
    contains(text: string) {
      const { channel } = discord;
      return changes.until(
        () => {
          const texts = channel.messages.map(({ content }) => content);
          return texts.some((each) => each.includes(text)) ? texts : undefined;
        },
        { missing: () => `no ${text} in ${JSON.stringify(channel.messages.map(({ content }) => content))}` },
      );
    },
    /** What players were shown by now, once there is so much. */
    async said(count: number): Promise<readonly string[]> {
      return await changes.until(() => (farm.said.length >= count ? farm.said : undefined), {
        missing: () => `only ${JSON.stringify(farm.said)}: ${JSON.stringify(lines, undefined, 1)}`,
      });
    },
    async [Symbol.asyncDispose]() {
      for (const bot of running) await bot.stop();
      await farm[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
      data[Symbol.dispose]();
    },
  };
}
