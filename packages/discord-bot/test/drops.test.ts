import { setTimeout as pause } from 'node:timers/promises';
import { Discord } from '@steward/discord-double/discord';
import { withoutRateLimits } from '@steward/discord-double/rules/limits';
import { Changes } from '@steward/testing/changes';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { farmStage, key } from './stage/farm-stage.ts';

const lines = count({ small: 300, long: 10_000 });
const drops = count({ small: 8, long: 200 });
const patienceMs = count({ small: 60_000, long: 3_600_000 });

/** A crowd of people would not say more in so long; the game's rules keep it from being flooded. */
const breathMs = 2;

const toWebhook = 'POST /webhooks/:webhookId/:token';

/** Discord, a farm and the bot, which is a process of its own: all that can be cut and killed. */
async function world() {
  const discord = await Discord.start({ limits: { ...withoutRateLimits, identifySpacingMs: 0 } });
  const farm = await farmStage();
  const data = temporaryDirectory();
  const changes = new Changes();
  discord.onChange(changes.told);
  let bot: Program | undefined;
  const start = () => {
    bot = new Program('packages/discord-bot/src/main.ts', [], {
      DISCORD_TOKEN: discord.token,
      DISCORD_CHANNEL: discord.channel.id,
      DISCORD_API: discord.api,
      STEWARD_URL: farm.url,
      STEWARD_KEY: key,
      DATA_DIR: data.path,
      LOG_LEVEL: 'warn',
    });
    bot.onLine(changes.told);
  };
  const end = async (signal: NodeJS.Signals) => {
    bot?.kill(signal);
    await bot?.exited;
  };
  /** Each is over when whatever was cut can be there again. */
  const dropped = {
    connection: async () => discord.gateway.drop(),
    session: async () => {
      discord.gateway.faults.connections = 'reset';
      discord.gateway.faults.refusals = 1;
      discord.gateway.drop();
    },
    answer: async () => void discord.faults.add(toWebhook, { after: 502 }),
    line: async () => void discord.faults.add(toWebhook, { after: 'closed' }, { times: 2 }),
    request: async () => void discord.faults.add(toWebhook, { before: 'reset' }),
    farm: async () => {
      await farm.stop();
      await farm.start();
    },
    killed: async () => {
      await end('SIGKILL');
      start();
    },
    stopped: async () => {
      await end('SIGTERM');
      start();
    },
  };
  start();
  return {
    discord,
    farm,
    changes,
    dropped,
    log: () => [...(bot?.stdout ?? []), ...(bot?.stderr ?? [])].slice(-20).join('\n'),
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      await farm[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
      data[Symbol.dispose]();
    },
  };
}

function numbersIn(texts: readonly string[], before: string): readonly number[] {
  return texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`${before}(\\d+)`, 'g'))].map(([, number]) => Number(number)),
  );
}

it(
  `carries ${lines} lines each way over ${drops} drops: nothing lost, doubled or out of order`,
  async () => {
    await using stage = await world();
    const { discord, farm, changes, dropped } = stage;
    const random = seededRandom(seed);
    const ann = discord.guild.addMember('ann', { nick: 'Ann' });
    await changes.until(() => (discord.gateway.counts.identified > 0 ? true : undefined), {
      missing: stage.log,
    });
    const kinds = Object.values(dropped);
    const everyLines = Math.floor(lines / drops);
    let drop = Promise.resolve();
    for (let line = 0; line < lines; line += 1) {
      if (line % everyLines === 1) {
        const next = Math.floor(line / everyLines);
        const kind = next < kinds.length ? next : Math.floor(random() * kinds.length);
        await drop;
        drop = kinds[kind]?.() ?? drop;
      }
      discord.people.say(ann, `d${line}`);
      // A game that nobody listens to has nowhere to say it.
      if (!farm.isUp) await drop;
      farm.say(`g${line}`, random() < 0.5 ? 'Robin' : 'Bo');
      await pause(breathMs);
    }
    await drop;
    const all = Array.from({ length: lines }, (_, line) => line);
    const inDiscord = () =>
      numbersIn(
        discord.channel.messages
          .filter(({ author }) => author.id !== ann.user.id)
          .map(({ content }) => content),
        'g',
      );
    const patience = {
      withinMs: patienceMs,
      missing: () => `${inDiscord().length} and ${farm.said.length} of ${lines}:\n${stage.log()}`,
    };
    await changes.until(() => (inDiscord().length >= lines ? true : undefined), patience);
    farm.onSaid(changes.told);
    await changes.until(() => (farm.said.length >= lines ? true : undefined), patience);
    expect(inDiscord()).toEqual(all);
    expect(numbersIn(farm.said, 'd')).toEqual(all);
  },
  2 * patienceMs,
);
