import { Changes } from '@steward/testing/changes';
import { ManualClock } from '@steward/testing/manual-clock';
import {
  GatewayCloseCodes,
  GatewayIntentBits,
  GatewayOpcodes,
  PermissionFlagsBits,
} from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { Discord } from '../src/discord.ts';
import { RawClient } from './raw-client.ts';

const { Identify, Resume, Heartbeat, PresenceUpdate } = GatewayOpcodes;
const { Guilds, GuildMessages, GuildMembers, GuildPresences, MessageContent } = GatewayIntentBits;
const presence = { since: null, activities: [{ name: 'a farm', type: 0 }], status: 'online', afk: false };

describe('who connects', () => {
  it('is greeted, and heard when its heart beats', async () => {
    await using discord = await Discord.start();
    await using client = new RawClient(discord);
    expect(await client.next()).toEqual({ op: 10, d: { heartbeat_interval: 41_250 }, s: null, t: null });
    client.send(Heartbeat, null);
    expect(await client.next()).toMatchObject({ op: 11 });
  });

  it('can be left without a greeting', async () => {
    await using discord = await Discord.start();
    discord.gateway.faults.withholdHello = true;
    await using client = new RawClient(discord);
    await client.opened();
    client.send(Heartbeat, null);
    expect(await client.next()).toMatchObject({ op: 11 });
  });

  it('is given up when its heart stops', async () => {
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock });
    await using client = await RawClient.greeted(discord);
    clock.advance(40_000);
    client.send(Heartbeat, null);
    await client.next();
    clock.advance(60_000);
    discord.gateway.askForBeat();
    expect(await client.next()).toMatchObject({ op: 1 });
    clock.advance(2_000);
    expect(await client.closed()).toBe(GatewayCloseCodes.SessionTimedOut);
  });

  it('is told who it is, then what it is in, one event after the other', async () => {
    await using discord = await Discord.start();
    await using client = await RawClient.greeted(discord);
    client.identify(discord, { shard: [0, 1] });
    expect(await client.next()).toMatchObject({
      t: 'READY',
      s: 1,
      d: {
        v: 10,
        user: { id: discord.bot.user.id },
        guilds: [{ id: discord.guild.id, unavailable: true }],
        application: { id: discord.application.id },
      },
    });
    expect(await client.next()).toMatchObject({
      t: 'GUILD_CREATE',
      s: 2,
      d: { id: discord.guild.id, channels: [{ id: discord.channel.id }] },
    });
  });

  it.each([
    ['another version', 'v=9&encoding=json', GatewayCloseCodes.InvalidAPIVersion],
    ['another encoding', 'v=10&encoding=etf', GatewayCloseCodes.DecodeError],
  ])('with %s is shut out', async (_what, query, code) => {
    await using discord = await Discord.start();
    await using client = new RawClient(discord, query);
    expect(await client.closed()).toBe(code);
  });

  it.each([
    ['another token', { token: 'another' }, GatewayCloseCodes.AuthenticationFailed],
    ['no properties', { properties: undefined }, GatewayCloseCodes.DecodeError],
    ['half of the properties', { properties: { os: 'linux' } }, GatewayCloseCodes.DecodeError],
    ['no intents', { intents: undefined }, GatewayCloseCodes.DecodeError],
    ['intents that there are not', { intents: 1 << 30 }, GatewayCloseCodes.InvalidIntents],
    ['an intent that is switched off', { intents: GuildMembers }, GatewayCloseCodes.DisallowedIntents],
    ['another that is switched off', { intents: GuildPresences }, GatewayCloseCodes.DisallowedIntents],
    ['a shard that there is not', { shard: [1, 1] }, GatewayCloseCodes.InvalidShard],
    ['a presence of no kind', { presence: { ...presence, status: 'busy' } }, GatewayCloseCodes.DecodeError],
  ])('and identifies with %s is shut out', async (_what, form, code) => {
    await using discord = await Discord.start();
    await using client = await RawClient.greeted(discord);
    client.identify(discord, form);
    expect(await client.closed()).toBe(code);
  });

  it('and wants to read what is said is shut out while nobody has switched that on', async () => {
    await using discord = await Discord.start();
    discord.application.privileged.messageContent = false;
    await using client = await RawClient.greeted(discord);
    client.identify(discord);
    expect(await client.closed()).toBe(GatewayCloseCodes.DisallowedIntents);
  });

  it('waits five seconds between two identifies', async () => {
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock });
    await using first = await RawClient.identified(discord);
    expect(first.session).toMatch(/^[0-9a-f]{32}$/);
    await using second = await RawClient.greeted(discord);
    clock.advance(4_999);
    second.identify(discord);
    expect(await second.next()).toMatchObject({ op: 9, d: false });
    clock.advance(1);
    second.identify(discord);
    expect(await second.next()).toMatchObject({ t: 'READY' });
  });

  it('loses its token when it starts too often', async () => {
    const limits = { sessionStarts: { limit: 1, windowMs: 86_400_000 }, identifySpacingMs: 0 };
    await using discord = await Discord.start({ limits });
    const { token } = discord;
    expect(discord.gateway.information.session_start_limit).toMatchObject({ total: 1, remaining: 1 });
    await using first = await RawClient.identified(discord);
    expect(first.session).not.toBe('');
    expect(discord.gateway.information.session_start_limit).toMatchObject({ remaining: 0 });
    await using second = await RawClient.greeted(discord);
    second.identify(discord);
    expect(await second.closed()).toBe(GatewayCloseCodes.AuthenticationFailed);
    expect(discord.token).not.toBe(token);
  });

  it.each(['reset', 503] as const)('is refused by %s, so often as it was said', async (how) => {
    await using discord = await Discord.start();
    Object.assign(discord.gateway.faults, { connections: how, refusals: 1 });
    await using refused = new RawClient(discord);
    expect(await refused.closed()).toBe(1006);
    await using client = await RawClient.identified(discord);
    expect(client.session).not.toBe('');
    expect(discord.gateway.counts).toMatchObject({ refused: 1, connected: 1, identified: 1 });
  });
});

describe('a client', () => {
  it.each([
    ['speaks before it has identified', PresenceUpdate, presence, GatewayCloseCodes.NotAuthenticated],
    ['asks for what there is not', 99, null, GatewayCloseCodes.NotAuthenticated],
  ])('is shut out when it %s', async (_what, op, data, code) => {
    await using discord = await Discord.start();
    await using client = await RawClient.greeted(discord);
    client.send(op, data);
    expect(await client.closed()).toBe(code);
  });

  it.each([
    ['identifies twice', Identify, {}, GatewayCloseCodes.AlreadyAuthenticated],
    ['resumes what it is in', Resume, {}, GatewayCloseCodes.AlreadyAuthenticated],
    ['asks for what there is not', 99, null, GatewayCloseCodes.UnknownOpcode],
    [
      'sets a presence of no kind',
      PresenceUpdate,
      { ...presence, status: 'busy' },
      GatewayCloseCodes.DecodeError,
    ],
    ['beats out of nowhere', Heartbeat, 'now', GatewayCloseCodes.DecodeError],
  ])('that is known is shut out when it %s', async (_what, op, data, code) => {
    await using discord = await Discord.start();
    await using client = await RawClient.identified(discord);
    client.send(op, data);
    expect(await client.closed()).toBe(code);
  });

  it('is shut out when it sends no JSON', async () => {
    await using discord = await Discord.start();
    await using client = await RawClient.identified(discord);
    client.sendText('{');
    expect(await client.closed()).toBe(GatewayCloseCodes.DecodeError);
  });

  it('may send 4,096 bytes, and no byte more', async () => {
    await using discord = await Discord.start();
    await using client = await RawClient.identified(discord);
    const frame = JSON.stringify({ op: Heartbeat, d: 1, pad: '' });
    const padded = (length: number) => frame.replace('""', `"${'a'.repeat(length - frame.length)}"`);
    client.sendText(padded(4_096));
    expect(await client.next()).toMatchObject({ op: GatewayOpcodes.HeartbeatAck });
    client.sendText(padded(4_097));
    expect(await client.closed()).toBe(GatewayCloseCodes.DecodeError);
  });

  it('may send 120 payloads a minute', async () => {
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock });
    await using client = await RawClient.greeted(discord);
    for (let sent = 0; sent < 120; sent += 1) client.send(Heartbeat, null);
    for (let heard = 0; heard < 120; heard += 1) await client.next();
    clock.advance(59_999);
    client.send(Heartbeat, null);
    expect(await client.closed()).toBe(GatewayCloseCodes.RateLimited);
  });

  it('is seen with the presence that it set, if it did not set too many', async () => {
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock });
    const changes = new Changes();
    discord.onChange(changes.told);
    await using client = await RawClient.identified(discord, { presence });
    for (let set = 0; set < 5; set += 1) client.send(PresenceUpdate, presence);
    const { presences } = discord.gateway;
    await changes.until(() => presences.length === 6 || undefined, { missing: () => `${presences.length}` });
    expect(presences.map(({ isShown }) => isShown)).toEqual([true, true, true, true, true, false]);
    expect(presences[0]?.activities).toMatchObject([{ name: 'a farm' }]);
  });
});

describe('what is said', () => {
  const heardWith = async (intents: number) => {
    const discord = await Discord.start();
    const client = await RawClient.greeted(discord);
    client.identify(discord, { intents });
    await client.next('READY');
    const stack = new AsyncDisposableStack();
    stack.use(client);
    stack.use(discord);
    return {
      discord,
      client,
      ann: discord.guild.addMember('ann'),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  };

  it('is told without its content to who did not ask for that, except where it is meant', async () => {
    await using heard = await heardWith(Guilds | GuildMessages);
    const { discord, client, ann } = heard;
    discord.people.say(ann, 'between us', { attachments: ['map.png'], embeds: [{ title: 'a' }] });
    expect((await client.next('MESSAGE_CREATE')).d).toMatchObject({
      content: '',
      attachments: [],
      embeds: [],
    });
    discord.people.say(ann, `hello <@${discord.bot.user.id}>`);
    expect((await client.next('MESSAGE_CREATE')).d['content']).toContain('hello');
    discord.channel.post({ author: discord.bot.user, content: 'mine' });
    expect((await client.next('MESSAGE_CREATE')).d['content']).toBe('mine');
  });

  it('is told to who asked for messages and may see the channel only', async () => {
    await using heard = await heardWith(Guilds | GuildMessages | MessageContent);
    const { discord, client, ann } = heard;
    const hidden = discord.guild.addChannel('hidden');
    discord.permit(PermissionFlagsBits.SendMessages, hidden);
    discord.people.say(ann, 'unseen', { channel: hidden });
    discord.people.say(ann, 'seen');
    expect((await client.next('MESSAGE_CREATE')).d['content']).toBe('seen');
    await using deaf = await heardWith(Guilds);
    deaf.discord.people.say(deaf.ann, 'unheard');
    deaf.discord.guild.addRole('new');
    expect(await deaf.client.next()).toMatchObject({ t: 'GUILD_CREATE' });
    expect(await deaf.client.next()).toMatchObject({ t: 'GUILD_ROLE_CREATE' });
  });

  it('comes with all that people add to it, and so do its ends', async () => {
    await using heard = await heardWith(Guilds | GuildMessages | MessageContent);
    const { discord, client, ann } = heard;
    const { people } = discord;
    const first = people.say(ann, 'look https://example.org', {
      attachments: ['map.png'],
      stickers: ['wave'],
    });
    people.say(ann, 'yes', { replyTo: first });
    people.say(ann, '', { forward: first });
    people.sayByWebhook(people.addWebhook('another bridge'), 'hello');
    people.addPreview(first, { title: 'Example' });
    people.edit(first, 'look away');
    people.delete(first);
    const events = [];
    for (let heardOf = 0; heardOf < 7; heardOf += 1) {
      const { t, d } = await client.next();
      if (t === 'GUILD_CREATE') heardOf -= 1;
      else events.push({ t, d });
    }
    expect(events).toMatchObject([
      {
        t: 'MESSAGE_CREATE',
        d: { attachments: [{ filename: 'map.png' }], sticker_items: [{ name: 'wave' }] },
      },
      { t: 'MESSAGE_CREATE', d: { type: 19, referenced_message: { id: first.id } } },
      {
        t: 'MESSAGE_CREATE',
        d: { content: '', message_snapshots: [{ message: { content: 'look https://example.org' } }] },
      },
      { t: 'MESSAGE_CREATE', d: { webhook_id: expect.any(String), author: { bot: true } } },
      { t: 'MESSAGE_UPDATE', d: { edited_timestamp: null, embeds: [{ title: 'Example' }] } },
      { t: 'MESSAGE_UPDATE', d: { edited_timestamp: expect.any(String), content: 'look away' } },
      { t: 'MESSAGE_DELETE', d: { id: first.id, channel_id: discord.channel.id } },
    ]);
  });
});

describe('a session', () => {
  /** That everybody has left. */
  const noticed = async (discord: Discord) => {
    const changes = new Changes();
    discord.onChange(changes.told);
    const missing = () => 'somebody is still there';
    await changes.until(() => discord.gateway.connected === 0 || undefined, { missing });
  };

  const resume = async (discord: Discord, session: string, seq: number, token = discord.token) => {
    const client = new RawClient(discord, 'v=10&encoding=json', '/resume');
    await client.next();
    client.send(Resume, { token, session_id: session, seq });
    return client;
  };

  it('goes on with what was missed, then says that it does', async () => {
    await using discord = await Discord.start();
    await using first = await RawClient.identified(discord);
    const ann = discord.guild.addMember('ann');
    discord.people.say(ann, 'heard');
    const { s } = await first.next('MESSAGE_CREATE');
    await first.leave();
    discord.people.say(ann, 'missed');
    await using second = await resume(discord, first.session, s ?? 0);
    expect(await second.next()).toMatchObject({ s: 4, d: { content: 'missed' } });
    discord.people.say(ann, 'new');
    expect(await second.next()).toMatchObject({ s: 5, t: 'RESUMED' });
    expect(await second.next()).toMatchObject({ s: 6, d: { content: 'new' } });
  });

  it('tells what was missed as it was then, whatever became of it', async () => {
    await using discord = await Discord.start();
    await using first = await RawClient.identified(discord);
    await first.leave();
    const ann = discord.guild.addMember('ann');
    const missed = discord.people.say(ann, 'before');
    discord.people.say(ann, 'yes', { replyTo: missed });
    discord.people.edit(missed, 'after');
    await using second = await resume(discord, first.session, 2);
    expect(await second.next()).toMatchObject({ t: 'MESSAGE_CREATE', d: { content: 'before' } });
    expect(await second.next()).toMatchObject({ d: { referenced_message: { content: 'before' } } });
    expect(await second.next()).toMatchObject({ t: 'MESSAGE_UPDATE', d: { content: 'after' } });
  });

  it('is no more when it was called invalid for ever', async () => {
    await using discord = await Discord.start();
    await using first = await RawClient.identified(discord);
    discord.gateway.invalidate({ canResume: false });
    expect(await first.next()).toMatchObject({ op: GatewayOpcodes.InvalidSession, d: false });
    first.send(Resume, { token: discord.token, session_id: first.session, seq: 2 });
    expect(await first.next()).toMatchObject({ op: GatewayOpcodes.InvalidSession, d: false });
  });

  it('leaves whoever held it before', async () => {
    await using discord = await Discord.start();
    await using first = await RawClient.identified(discord);
    await using second = await resume(discord, first.session, 2);
    expect(await first.closed()).toBe(GatewayCloseCodes.UnknownError);
    discord.people.say(discord.guild.addMember('ann'), 'hello');
    expect((await second.next('MESSAGE_CREATE')).d['content']).toBe('hello');
  });

  it.each([
    ['a number that was never told', 99, GatewayCloseCodes.InvalidSeq],
    ['a negative number', -1, GatewayCloseCodes.InvalidSeq],
  ])('does not go on with %s', async (_what, seq, code) => {
    await using discord = await Discord.start();
    await using first = await RawClient.identified(discord);
    await first.leave();
    await using second = await resume(discord, first.session, seq);
    expect(await second.closed()).toBe(code);
  });

  it('does not go on with another token', async () => {
    await using discord = await Discord.start();
    await using first = await RawClient.identified(discord);
    await using second = await resume(discord, first.session, 2, 'another');
    expect(await second.closed()).toBe(GatewayCloseCodes.AuthenticationFailed);
  });

  it('is over a few minutes after its connection', async () => {
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock });
    await using first = await RawClient.identified(discord);
    clock.advance(discord.limits.sessionLifeMs / 2);
    await first.leave();
    await noticed(discord);
    clock.advance(discord.limits.sessionLifeMs - 1);
    await using second = await resume(discord, first.session, 2);
    await second.next('RESUMED');
    await second.leave();
    await noticed(discord);
    clock.advance(discord.limits.sessionLifeMs);
    await using third = await resume(discord, first.session, 3);
    expect(await third.next()).toMatchObject({ op: GatewayOpcodes.InvalidSession, d: false });
  });

  it.each([
    [1000, GatewayOpcodes.InvalidSession],
    [1001, GatewayOpcodes.InvalidSession],
    [4900, GatewayOpcodes.Dispatch],
  ])('is over when its client says goodbye with 1000 or 1001: %i', async (code, answer) => {
    await using discord = await Discord.start();
    await using first = await RawClient.identified(discord);
    await first.leave(code);
    await noticed(discord);
    await using second = await resume(discord, first.session, 2);
    expect(await second.next()).toMatchObject({ op: answer });
  });

  it('is unknown when it was forgotten', async () => {
    await using discord = await Discord.start();
    await using first = await RawClient.identified(discord);
    discord.gateway.forgetSessions();
    await using second = await resume(discord, first.session, 2);
    expect(await second.next()).toMatchObject({ op: GatewayOpcodes.InvalidSession, d: false });
  });
});
