import { setImmediate } from 'node:timers/promises';
import { REST } from '@discordjs/rest';
import { Discord } from '@steward/discord-double/discord';
import { withoutRateLimits } from '@steward/discord-double/rules/limits';
import { Changes } from '@steward/testing/changes';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { Gateway } from '../src/discord/gateway.ts';

/** A gateway whose pauses end when a test says so. */
async function stage() {
  const discord = await Discord.start({ limits: { ...withoutRateLimits, identifySpacingMs: 0 } });
  const changes = new Changes();
  discord.onChange(changes.told);
  const clock = new ManualClock();
  const pauses = new Set<number>();
  const lines: string[] = [];
  const write = (...said: [string] | [{ reason?: unknown }, string]) => {
    const [{ reason = '' }, message] = said.length === 1 ? [{}, ...said] : said;
    lines.push(`${message} ${reason}`.trim());
    changes.told();
  };
  const gateway = new Gateway({
    token: discord.token,
    rest: new REST({ api: discord.api }).setToken(discord.token),
    clock: {
      now: () => clock.now(),
      date: () => clock.date(),
      after(ms, action) {
        const timer = clock.after(ms, () => {
          pauses.delete(ms);
          action();
        });
        pauses.add(ms);
        changes.told();
        return {
          cancel() {
            pauses.delete(ms);
            timer.cancel();
          },
        };
      },
    },
    random: () => 0,
    log: { info: write, warn: write },
    onDispatch: () => {},
    onReady: () => {},
    onSilence: () => void gateway.connect(),
    onOver: () => {},
  });
  const until = (what: string, look: () => boolean) =>
    changes.until(() => look() || undefined, {
      missing: () => `${what}: ${discord.gateway.counts.refused} refused, ${JSON.stringify(lines)}`,
    });
  return {
    gateway,
    clock,
    pauses,
    lines,
    discord: discord.gateway,
    until,
    ready: (times: number) =>
      until('not ready', () => lines.filter((line) => line.includes('has begun')).length === times),
    paused: (ms: number) => until(`no pause of ${ms} ms`, () => pauses.has(ms)),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await discord[Symbol.asyncDispose]();
    },
  };
}

it('without a network it waits longer and longer, and says why once until it is back', async () => {
  await using at = await stage();
  void at.gateway.connect();
  await at.ready(1);
  for (const time of [1, 2]) {
    at.lines.length = 0;
    at.discord.faults.connections = 'reset';
    at.discord.drop();
    for (const [index, ms] of [1_000, 2_000, 4_000].entries()) {
      await at.paused(ms);
      expect(at.discord.counts.refused).toBe(3 * (time - 1) + index + 1);
      if (ms === 4_000) at.discord.faults.connections = 'accepted';
      at.clock.advance(ms);
    }
    await at.ready(1);
    expect(at.lines).toEqual([
      'the connection to Discord was lost; reconnecting',
      expect.stringMatching(/^the connection to Discord failed; the bot tries again ./),
      'a session with Discord has begun',
    ]);
  }
});

it('a bot that is stopped while it waits to connect again does not connect any more', async () => {
  await using at = await stage();
  at.discord.faults.connections = 'reset';
  void at.gateway.connect();
  await at.paused(1_000);
  await at.gateway.close();
  expect([...at.pauses]).toEqual([]);
});

it('a session that Discord does not continue, without a word, makes room for a new one', async () => {
  await using at = await stage();
  void at.gateway.connect();
  await at.ready(1);
  at.discord.faults.withholdResumed = true;
  at.discord.drop();
  await at.until('nobody came to go on', () => at.discord.counts.resumed === 1);
  await at.paused(30_000);
  at.clock.advance(30_000);
  await at.paused(1_000);
  at.clock.advance(1_000);
  await at.ready(2);
  expect(at.lines).toEqual([
    'a session with Discord has begun',
    'the connection to Discord was lost; reconnecting',
    'Discord has not continued the session; the bot begins a new one',
    'a session with Discord has begun',
  ]);
  expect(at.discord.counts).toMatchObject({ connected: 3, identified: 2 });
  expect(at.discord.connected).toBe(1);
});

it('a session that Discord continues stays, however long it lasts', async () => {
  await using at = await stage();
  void at.gateway.connect();
  await at.ready(1);
  at.discord.drop();
  await at.until('it does not go on', () => at.lines.includes('the session with Discord continues'));
  at.clock.advance(60_000);
  await setImmediate();
  expect(at.lines).toEqual([
    'a session with Discord has begun',
    'the connection to Discord was lost; reconnecting',
    'the session with Discord continues',
  ]);
  expect(at.discord.counts).toMatchObject({ connected: 2, identified: 1 });
  expect(at.discord.connected).toBe(1);
});
