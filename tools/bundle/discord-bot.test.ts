import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { farmStage, key } from '@steward/discord-bot/test/stage/farm-stage';
import { Discord } from '@steward/discord-double/discord';
import { withoutRateLimits } from '@steward/discord-double/rules/limits';
import { Changes } from '@steward/testing/changes';
import { Program } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shipped } from './bundle.ts';
import { nodeOptionsOf } from './services.ts';

const lines = count({ small: 500, long: 10_000 });

/**
 * What may be left of a small machine for a bot, beside the pages of Node's own file. It takes 30 MB idle and 37.5 to 39.4 MB loaded,
 * depending on when V8 collects: 40 would fail by chance.
 */
const mostMegabytes = 45;

let bundled: Awaited<ReturnType<typeof shipped>>;

beforeAll(async () => {
  bundled = await shipped('discord-bot');
});
afterAll(() => bundled[Symbol.dispose]());

/**
 * What a process alone has of the machine's memory. The pages of Node's file are shared with every other Node and given
 * back when memory is short; how many there are (50 MB or 77 MB) depends on how the file was first read, not on the bot.
 */
function megabytesOf(pid: number): number {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

describe('the bot as its image has it', () => {
  it('is made of nothing that takes much memory', () => {
    const licences = readFileSync(join(dirname(bundled.main), 'THIRD-PARTY-LICENCES.txt'), 'utf8');
    expect(licences).toMatch(/^@discordjs\/ws /m);
    expect(licences).not.toMatch(/^(?:zod|pino|fastify|discord\.js) /m);
  });

  it(`takes at most ${mostMegabytes} MB of its own, idle and after ${lines} lines each way, and stops when it is told to`, async () => {
    await using discord = await Discord.start({ limits: withoutRateLimits });
    await using farm = await farmStage();
    using data = temporaryDirectory();
    const changes = new Changes();
    discord.onChange(changes.told);
    farm.onSaid(changes.told);
    const environment = {
      DISCORD_TOKEN: discord.token,
      DISCORD_CHANNEL: discord.channel.id,
      DISCORD_API: discord.api,
      STEWARD_URL: farm.url,
      STEWARD_KEY: key,
      DATA_DIR: data.path,
    };
    const nodeOptions = nodeOptionsOf('discord-bot');
    await using bot = new Program(bundled.main, [], environment, { nodeOptions });
    await bot.line(/session with Discord has begun/);
    const idle = megabytesOf(bot.pid);
    const ann = discord.guild.addMember('ann');
    for (let line = 0; line < lines; line += 1) {
      discord.people.say(ann, `line ${line}`);
      farm.say(`line ${line}`);
      const missing = () => `only ${farm.said.length} lines: ${bot.stdout.join('\n')}`;
      if (line % 50 === 49)
        await changes.until(() => (farm.said.length > line ? true : undefined), { missing });
    }
    const loaded = megabytesOf(bot.pid);
    process.stdout.write(
      `the Discord bot alone takes ${idle.toFixed(1)} MB idle and ${loaded.toFixed(1)} MB loaded\n`,
    );
    expect({ idle, loaded }).toEqual({ idle: expect.toSatisfy(fits), loaded: expect.toSatisfy(fits) });
    bot.kill('SIGTERM');
    expect(await bot.exited).toEqual({ code: 0, signal: null });
    expect(bot.stderr).toEqual([]);
  });
});

function fits(megabytes: number): boolean {
  return megabytes <= mostMegabytes;
}
