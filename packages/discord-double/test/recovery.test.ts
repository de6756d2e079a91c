import { GatewayIntentBits } from '@discordjs/core';
import { CompressionMethod } from '@discordjs/ws';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { describe, it } from 'vitest';
import { Discord } from '../src/discord.ts';
import { LibraryBot, type LibraryBotOptions } from './library-bot.ts';

const drops = count({ small: 3, long: 200 });
const messages = count({ small: 150, long: 10_000 });
const compressed = count({ small: 300, long: 10_000 });

/** The bots here identify as soon as they want to. */
const limits = { identifySpacingMs: 0 };

async function connected(options: LibraryBotOptions = {}) {
  const discord = await Discord.start({ limits });
  const bot = await LibraryBot.connect(discord, { ...options, isHasty: true });
  const ann = discord.guild.addMember('ann');
  const stack = new AsyncDisposableStack();
  stack.use(discord);
  stack.use(bot);
  return { discord, bot, ann, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

interface Failure {
  readonly what: string;
  readonly fail: (discord: Discord) => void;
}

/** What a session outlives. */
const interruptions: readonly Failure[] = [
  { what: 'drops', fail: ({ gateway }) => gateway.drop() },
  { what: 'closes with 1001', fail: ({ gateway }) => gateway.close(1001) },
  { what: 'closes with 4000', fail: ({ gateway }) => gateway.close(4000) },
  { what: 'closes with 4009', fail: ({ gateway }) => gateway.close(4009) },
  { what: 'asks to connect again', fail: ({ gateway }) => gateway.askToReconnect() },
  {
    what: 'calls the session invalid for now',
    fail: ({ gateway }) => gateway.invalidate({ canResume: true }),
  },
];

const endings: readonly Failure[] = [
  { what: 'closes with 1000', fail: ({ gateway }) => gateway.close(1000) },
  { what: 'closes with 4003', fail: ({ gateway }) => gateway.close(4003) },
  { what: 'closes with 4007', fail: ({ gateway }) => gateway.close(4007) },
  { what: 'closes with 4008', fail: ({ gateway }) => gateway.close(4008) },
  { what: 'calls the session invalid', fail: ({ gateway }) => gateway.invalidate({ canResume: false }) },
  {
    what: 'drops, and resets the next connection',
    fail: ({ gateway }) => {
      Object.assign(gateway.faults, { connections: 'reset', refusals: 1 });
      gateway.drop();
    },
  },
  {
    what: 'drops, and forgets the session',
    fail: ({ gateway }) => {
      gateway.forgetSessions();
      gateway.drop();
    },
  },
];

// All at once: each waits for the library's own half second, some several times.
describe.concurrent('the libraries', () => {
  it(`lose nothing, double nothing and keep the order of ${messages} messages over ${drops} drops`, async ({
    expect,
  }) => {
    await using both = await connected();
    const { discord, bot, ann } = both;
    const words = Array.from({ length: messages }, (_, index) => `${index}`);
    const each = messages / drops;
    for (let drop = 0; drop < drops; drop += 1) {
      const [first = '', ...rest] = words.slice(drop * each, (drop + 1) * each);
      // One is on its way when the connection breaks, and the rest is said while nobody listens.
      discord.people.say(ann, first);
      discord.gateway.drop();
      for (const word of rest) discord.people.say(ann, word);
      await bot.until(() => bot.counts.resumed > drop, `resumption ${drop}`);
    }
    await bot.hears(messages);
    expect(bot.words).toEqual(words);
    expect(discord.gateway.counts).toMatchObject({ identified: 1, resumed: drops });
  });

  it('go on where they were after each interruption, and start again after each ending', async ({
    expect,
  }) => {
    const outcomes = await Promise.all(
      [...interruptions, ...endings].map(async ({ what, fail }) => {
        await using both = await connected();
        const { discord, bot, ann } = both;
        fail(discord);
        discord.people.say(ann, 'meanwhile');
        await bot.until(
          () => bot.counts.resumed + bot.counts.ready === 2,
          `new beginning: the gateway ${what}`,
        );
        discord.people.say(ann, 'afterwards');
        await bot.until(() => bot.words.includes('afterwards'), 'word afterwards');
        return { what, words: bot.words, identified: discord.gateway.counts.identified };
      }),
    );
    expect(outcomes).toEqual([
      ...interruptions.map(({ what }) => ({ what, words: ['meanwhile', 'afterwards'], identified: 1 })),
      ...endings.map(({ what }) => ({ what, words: ['afterwards'], identified: 2 })),
    ]);
  });

  it('find by reading what a lost session has cost them', async ({ expect }) => {
    await using both = await connected();
    const { discord, bot, ann } = both;
    const last = discord.people.say(ann, 'heard');
    await bot.hears(1);
    discord.gateway.forgetSessions();
    discord.gateway.drop();
    for (const word of ['one', 'two', 'three']) discord.people.say(ann, word);
    await bot.until(() => bot.counts.ready === 2, 'second session');
    const page = await bot.api.channels.getMessages(discord.channel.id, { after: last.id });
    expect(page.map(({ content }) => content).toReversed()).toEqual(['one', 'two', 'three']);
    expect(bot.words).toEqual(['heard']);
  });

  it('give up a connection on which their heart is not heard, and go on', async ({ expect }) => {
    // Its clock stands still, so that it is the client who gives up.
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock, limits: { ...limits, heartbeatMs: 300 } });
    await using bot = await LibraryBot.connect(discord);
    discord.gateway.faults.withholdAcks = true;
    await bot.until(() => discord.gateway.counts.connected >= 2, 'second connection');
    discord.gateway.faults.withholdAcks = false;
    await bot.until(() => bot.counts.resumed > 0, 'resumption');
    expect(discord.gateway.counts.identified).toBe(1);
  });

  it.for([
    ['a wrong token', { gatewayToken: 'wrong' }, 'Authentication failed'],
    [
      'an intent that is switched off',
      { intents: GatewayIntentBits.GuildMembers },
      'Used disallowed intents',
    ],
    ['intents that there are not', { intents: 1 << 30 }, 'Used invalid intents'],
  ] as const)('do not connect with %s', async ([_what, options, problem], { expect }) => {
    await using discord = await Discord.start({ limits });
    await using bot = new LibraryBot(discord, options);
    await expect(bot.manager.connect()).rejects.toThrow(problem);
    expect(bot.errors).toEqual([problem]);
  });

  it('do not connect when they have started too often', async ({ expect }) => {
    await using discord = await Discord.start({
      limits: { ...limits, sessionStarts: { limit: 0, windowMs: 60_000 } },
    });
    await using bot = new LibraryBot(discord);
    await expect(bot.manager.connect()).rejects.toThrow('Not enough sessions remaining');
  });

  it('read a compressed stream to its end', async ({ expect }) => {
    await using both = await connected({ compression: CompressionMethod.ZlibNative });
    const { discord, bot, ann } = both;
    const words = Array.from({ length: compressed }, (_, index) => `${index}${'a'.repeat(index % 50)}`);
    for (const word of words) discord.people.say(ann, word);
    await bot.hears(words.length);
    expect(bot.words).toEqual(words);
  });
});
