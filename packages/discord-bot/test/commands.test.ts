import { setImmediate } from 'node:timers/promises';
import type { Member } from '@steward/discord-double/world/guild';
import { ManualClock } from '@steward/testing/manual-clock';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { botStage } from './stage/bot-stage.ts';

/** A farm and a bot whose operators have a role. */
async function desk(scopes?: string, farm?: Parameters<typeof botStage>[0]) {
  const stage = await botStage(farm);
  const role = stage.discord.guild.addRole('operators');
  const secret =
    scopes === undefined ? undefined : (await stage.farm.farm.createKey({ name: 'bot', scopes })).secret;
  const environment = {
    DISCORD_OPERATOR_ROLE: role.id,
    ...(secret === undefined ? {} : { STEWARD_KEY: secret }),
  };
  const bot = await stage.start(environment);
  await Promise.race([stage.logged(/the slash commands are set/), bot.ended]);
  const operator = stage.discord.guild.addMember('olga', { nick: 'Olga', roles: [role] });
  const use = async (
    member: Member,
    name: string,
    options: Readonly<Record<string, string | number | boolean>> = {},
  ) => {
    const answer = await stage.discord.people.use(member, name, options).answer();
    if (answer === undefined) throw new Error(`nobody answered: ${JSON.stringify(stage.lines)}`);
    return answer;
  };
  return {
    stage,
    operator,
    operatorRoles: [role],
    use,
    environment,
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

const getCommands = 'GET /applications/:applicationId/guilds/:guildId/commands';

const namesIn = (stage: Awaited<ReturnType<typeof botStage>>) =>
  [...stage.discord.application.commands.values()]
    .flat()
    .map(({ name }) => name)
    .toSorted();

const optionsOf = (stage: Awaited<ReturnType<typeof botStage>>, command: string) =>
  [...stage.discord.application.commands.values()].flat().find(({ name }) => name === command)?.options ?? [];

describe('the slash commands', () => {
  it('are those that the key is good for, and set once', async () => {
    await using all = await desk();
    expect(namesIn(all.stage)).toEqual([
      'backup',
      'ban',
      'code',
      'drain',
      'kick',
      'players',
      'save',
      'say',
      'status',
      'time',
    ]);
    await all.stage.start(all.environment);
    await all.stage.logged(/session with Discord has begun/, 2);
    const puts = all.stage.discord.requests.filter(({ route }) => route.startsWith('PUT /applications'));
    expect(puts).toHaveLength(1);
    await using few = await desk('read,chat');
    expect(optionsOf(few.stage, 'time')).toEqual([]);
    expect(optionsOf(all.stage, 'time')).toHaveLength(1);
    expect(namesIn(few.stage)).toEqual(['code', 'players', 'say', 'status', 'time']);
  });

  it('that could not be set are set later, whatever the key is good for', async () => {
    const clock = new ManualClock();
    await using stage = await botStage({ clock });
    const { secret } = await stage.farm.farm.createKey({ name: 'bot', scopes: 'chat' });
    stage.discord.faults.add(getCommands, { before: 503 });
    await stage.start({ STEWARD_KEY: secret });
    await stage.logged(/the slash commands could not be set/);
    // So that it waits by now.
    await setImmediate();
    clock.advance(60_000);
    await stage.logged(/the slash commands are set/);
    expect(namesIn(stage)).toEqual(['say']);
  });

  it('are answered: how the farm is, who is there, what time it is', async () => {
    await using at = await desk();
    const { ann } = at.stage;
    expect(await at.use(ann, 'status')).toMatchObject({
      isEphemeral: false,
      content: expect.stringMatching(/\*\*Meadow\*\*: Spring 1, year 1, 06:00/),
    });
    expect((await at.use(ann, 'players')).content).toBe('On the farm: Robin');
    expect((await at.use(ann, 'time')).content).toMatch(/06:00/);
  });

  it('are promised an answer before the farm has given one, however long it takes', async () => {
    await using at = await desk();
    const { game } = at.stage.farm;
    game.mood = 'claims-and-is-silent';
    const used = at.stage.discord.people.use(at.operator, 'time', { value: 1200 });
    await expect.poll(() => game.held.length).toBe(1);
    expect(used.state).toBe('thinking');
    game.held[0]?.();
    expect((await used.answer())?.content).toMatch(/12/);
  });

  it('that tell an invite code tell it to who asks alone', async () => {
    await using at = await desk();
    expect(await at.use(at.stage.ann, 'code')).toMatchObject({ isEphemeral: true });
  });

  it('that change something are for operators and administrators', async () => {
    await using at = await desk();
    const { discord, ann, farm } = at.stage;
    expect(await at.use(ann, 'say', { text: 'hi' })).toMatchObject({
      isEphemeral: true,
      content: expect.stringMatching(/for operators/),
    });
    expect((await at.use(ann, 'time', { value: 1200 })).content).toMatch(/for operators/);
    expect(farm.said).toEqual([]);
    expect((await at.use(at.operator, 'say', { text: 'hi' })).content).toBe('Said.');
    const chief = discord.guild.addMember('chief', {
      roles: [discord.guild.addRole('chiefs', PermissionFlagsBits.Administrator)],
    });
    expect((await at.use(chief, 'time', { value: 1200 })).content).toMatch(/12/);
    expect(farm.said).toEqual(['Olga (Discord): hi']);
  });

  it('that speak do so as somebody in Discord, whatever an operator is called there', async () => {
    await using at = await desk();
    const { discord, farm } = at.stage;
    const posing = { nick: 'Robin\u202e', roles: at.operatorRoles };
    const mallory = discord.guild.addMember('mallory', posing);
    const text = 'hi [red]\u202e all <@1>\nServer: bye';
    expect((await at.use(mallory, 'say', { text })).content).toBe('Said.');
    expect((await at.use(mallory, 'say', { text: '\u202e\u200b' })).content).toMatch(/^Nothing was said/);
    expect(farm.said).toEqual(['Robin (Discord): hi (red) all @somebody Server: bye']);
  });

  it('that cannot be taken back want a confirmation', async () => {
    await using at = await desk();
    const { farm } = at.stage.farm;
    expect((await at.use(at.operator, 'ban', { player: 'Robin', confirm: false })).content).toMatch(
      /Nothing was done/,
    );
    expect((await farm.listBans()).bans).toEqual([]);
    await at.use(at.operator, 'ban', { player: 'Robin', confirm: true, reason: 'griefing' });
    expect((await farm.listBans()).bans).toHaveLength(1);
  });

  it('say of a ban who is still on the farm, and why', async () => {
    await using at = await desk();
    at.stage.farm.game.mood = { refuses: 'saving', message: 'the farm is saving' };
    const { content } = await at.use(at.operator, 'ban', { player: 'Robin', confirm: true });
    expect(content).toBe(
      'Only the farmhand of Robin is banned until the ban is lifted; still online: Robin (the farm is saving). No identity of theirs is known, so they can come back with another farmhand: also ban the identity or address on the line “Client connected via …” in the log',
    );
  });

  it('say why something was not done', async () => {
    await using at = await desk();
    expect((await at.use(at.operator, 'kick', { player: 'Nobody' })).content).toMatch(
      /^This was not done: There is no such farmhand/,
    );
    expect((await at.use(at.operator, 'backup')).content).toMatch(/Backups are off/);
  });
});

it('two bots that share a token both hear of a use, and the one that comes too late says what to do', async () => {
  await using at = await desk();
  await at.stage.start(at.environment);
  await at.stage.logged(/session with Discord has begun/, 2);
  await at.use(at.operator, 'say', { text: 'hi' });
  expect(await at.stage.logged(/a command could not be answered/)).toMatchObject({
    reason: expect.stringMatching(/application and a token of its own/),
  });
});

it('the status shows who plays and which day it is', async () => {
  await using at = await desk();
  const { discord, changes } = at.stage;
  const shown = await changes.until(() => discord.gateway.presences.at(-1), {
    missing: () => 'nothing was shown',
  });
  expect(JSON.stringify(shown)).toMatch(/\d of 10 playing · Spring 1, year 1/);
});

it('the status is shown again once a session goes on: it may have gone into a connection that was dead', async () => {
  await using at = await desk();
  const { discord, changes } = at.stage;
  const next = (count: number) =>
    changes.until(() => discord.gateway.presences[count - 1], { missing: () => 'nothing was shown' });
  const first = await next(1);
  discord.gateway.drop();
  await at.stage.logged(/session with Discord continues/);
  expect(await next(2)).toMatchObject({ activities: first.activities });
});
