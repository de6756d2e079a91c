import { createHmac } from 'node:crypto';
import { systemClock } from '@steward/service-kit/clock';
import { parseExact } from '@steward/service-kit/json';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { eventTypeNames, eventTypes } from '@steward/shared/events/event-types';
import { shownEvent, shownGap } from '@steward/shared/events/shown-event';
import { isBlank } from '@steward/shared/text';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { readAllowed } from '../../src/webhooks/egress/allow-list.ts';
import { WebhookEgress } from '../../src/webhooks/egress/webhook-egress.ts';
import type { Posted, ToldEvent } from '../../src/webhooks/sending.ts';
import { webhookTemplates } from '../../src/webhooks/templates/webhook-templates.ts';
import { anyEvent, anyId, eventOfAnyType } from './any-event.ts';
import { allText, strictReceiver } from './strict-receivers.ts';

const templates = webhookTemplates();
const place = { at: new Date('2026-11-22T19:00:00.000Z'), cursor: 'k3f9x-42' };
const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const to = { id: 'hook_000000000000-k3f9x-42', sentAt: new Date(), url: 'https://a.example/farm', secret };

const gap: ToldEvent = shownGap(place);
const test: ToldEvent = { type: 'test', at: '2026-11-22T19:00:00.000Z', cursor: 'k3f9x-42', data: {} };
const unknown = { ...gap, type: 'weather.rained', data: { mm: 3 } } as unknown as ToldEvent;

function told(event: StewardEvent): ToldEvent {
  return shownEvent(event, place, true);
}

const anyTold = fc.oneof(
  { weight: 20, arbitrary: eventOfAnyType.map(told) },
  { weight: 1, arbitrary: fc.constantFrom(gap, test, unknown) },
);

it('begins with the name of the server, where it has one; `standard` says it as a member', () => {
  const named = webhookTemplates('Hill *farm*');
  const event = told({ type: 'game.lost', data: { reason: 'The game has exited' } });
  const bodyOf = (template: 'standard' | 'discord' | 'slack' | 'ntfy', from = named) =>
    from.messageFor(template, event, { ...to, url: 'https://ntfy.example/farm' }).body;
  expect(JSON.parse(bodyOf('standard'))).toMatchObject({ type: 'game.lost', instance: 'Hill *farm*' });
  expect(JSON.parse(bodyOf('standard', templates))).not.toHaveProperty('instance');
  expect(JSON.parse(bodyOf('discord')).embeds[0].title).toMatch(/^\S+ Hill \\\*farm\\\*: /);
  expect(JSON.parse(bodyOf('slack')).attachments[0].fallback).toMatch(/^\S+ Hill \*farm\*: /);
  expect(JSON.parse(bodyOf('ntfy')).title ?? JSON.parse(bodyOf('ntfy')).message).toMatch(
    /^\S+ Hill \*farm\*: /,
  );
});

it.each<[StewardEvent, RegExp, RegExp]>([
  [
    { type: 'game.stopped', data: { reason: 'a backup is being restored', remedy: 'Nothing to do' } },
    /The game was stopped$/,
    /^A backup is being restored/,
  ],
  [
    { type: 'server.drained', data: { restart: true, isSaved: true, isBack: true } },
    /The game was restarted$/,
    /saved/,
  ],
  [
    { type: 'server.drained', data: { restart: true, isSaved: true, isBack: false } },
    /is not back yet$/,
    /saved/,
  ],
  [
    { type: 'server.drained', data: { restart: false, isSaved: true, isBack: false } },
    /The game is stopped$/,
    /saved/,
  ],
  [
    {
      type: 'schedules.failed',
      data: {
        scheduleId: '1',
        scheduleName: 'nightly',
        action: 'save',
        outcome: 'unknown',
        reason: 'no answer',
      },
    },
    /nightly may have failed/,
    /No answer/,
  ],
])('tells of %j what truly happened', (event, title, text) => {
  const { body } = templates.messageFor('discord', told(event), { ...to, url: 'https://discord.example/' });
  const [embed] = JSON.parse(body).embeds;
  expect(embed.title).toMatch(title);
  expect(embed.description).toMatch(text);
});

const numRuns = count({ small: 100, long: 20_000 });

describe.each([
  { template: 'discord', path: '/api/webhooks/123456/abc-DEF_ghi' },
  { template: 'slack', path: '/services/T00000000/B00000000/XXXXXXXX' },
  { template: 'ntfy', path: '/my-farm' },
] as const)('$template', ({ template, path }) => {
  const egress = new WebhookEgress({
    allowed: ['127.0.0.1'].flatMap((text) => readAllowed(text) ?? []),
    clock: systemClock,
  });

  function post(url: string, event: ToldEvent): Promise<Posted> {
    const message = templates.messageFor(template, event, { ...to, url });
    return egress.post(message.url ?? url, message, new AbortController().signal);
  }

  it.each([...eventTypeNames])('tells %s by names, never by ids', async (type) => {
    await using receiver = await strictReceiver(template);
    const [sample] = fc.sample(anyEvent(type), 1);
    if (sample === undefined) throw new Error('there is no sample');
    const posted = await post(`${receiver.origin}${path}`, told(sample));
    expect(posted, JSON.stringify([posted, receiver.got])).toMatchObject({
      status: expect.toBeOneOf([200, 204]),
    });
    expect(receiver.got[0]?.text).not.toContain(anyId);
  });

  it('is taken by a strict receiver, whatever anybody is called or says', async () => {
    await using receiver = await strictReceiver(template);
    await fc.assert(
      fc.asyncProperty(anyTold, async (event) => {
        const posted = await post(`${receiver.origin}${path}`, event);
        expect(posted).toMatchObject({ status: expect.toBeOneOf([200, 204]) });
      }),
      { numRuns },
    );
  });

  it('has a word for a gap, a test and what is not known yet', () => {
    const texts = [gap, test, unknown].map((event) => allText(bodyOf(template, event)));
    expect(texts[0]).toContain('Some events are missing here');
    expect(texts[1]).toContain('This is a test');
    expect(texts[2]).toMatch(/weather\\?\.rained/);
  });

  it('says a name instead of nothing', () => {
    const joined = {
      playerId: anyId,
      playerName: '\u200b \u202e',
      door: 'direct-ip',
      connectionId: 'L_1',
    } as const;
    expect(allText(bodyOf(template, told({ type: 'players.joined', data: joined })))).toContain(
      'Somebody joined',
    );
  });
});

function bodyOf(template: 'discord' | 'slack' | 'ntfy' | 'standard', event: ToldEvent): unknown {
  return parseExact(templates.messageFor(template, event, to).body);
}

const said = (playerName: string, message: string): ToldEvent =>
  told({ type: 'chat.said', data: { playerId: anyId, playerName, message } });

it('looks the same as what was said, to whoever reads it', () => {
  const line = said('_Ann_', '*hi* <@1> & [you](https://x.example) #1');
  expect(bodyOf('discord', line)).toEqual({
    username: 'Steward',
    embeds: [
      {
        title: '💬 \\_Ann\\_',
        description: '\\*hi\\* \\<\\@1\\> \\& \\[you\\]\\(https\\:\\/\\/x\\.example\\) \\#1',
        color: 0x5865f2,
        timestamp: '2026-11-22T19:00:00.000Z',
        fields: [],
      },
    ],
    allowed_mentions: { parse: [] },
  });
  const asPlain = (text: string) => ({ type: 'section', text: { type: 'plain_text', text, emoji: false } });
  expect(bodyOf('slack', line)).toEqual({
    attachments: [
      {
        color: '#5865f2',
        fallback: '💬 _Ann_',
        blocks: [asPlain('💬 _Ann_'), asPlain('*hi* &lt;@1&gt; &amp; [you](https://x.example) #1')],
      },
    ],
  });
  expect(bodyOf('ntfy', line)).toEqual({
    topic: 'farm',
    title: '💬 _Ann_',
    message: '*hi* <@1> & [you](https://x.example) #1',
    priority: 3,
    tags: ['chat'],
  });
});

it.each<[StewardEvent, string]>([
  [
    {
      type: 'players.joined',
      data: { playerId: '1', playerName: 'Ann', door: 'direct-ip', connectionId: 'L_1' },
    },
    '👋 Ann joined',
  ],
  [
    {
      type: 'players.refused',
      data: {
        playerId: '1',
        playerName: 'Ann',
        door: 'direct-ip',
        reason: 'it belongs to somebody else',
        remedy: 'Join by a code',
      },
    },
    '⛔ Somebody was not let in as Ann\nIt belongs to somebody else. Join by a code',
  ],
  [
    { type: 'farm.dayStarted', data: { day: 5, season: 'spring', year: 1 } },
    '🌅 Day 5 of spring, year 1, has begun',
  ],
  [
    { type: 'invites.codes', data: { platform: 'SABC', network: 'GABC' } },
    '🎟️ Players can join by invite code\nSame platform: SABC\nAny platform: GABC',
  ],
  [{ type: 'invites.codes', data: {} }, '🎟️ No invite code works now'],
  [
    { type: 'operations.ended', data: { operationId: '7', command: 'setTime', state: 'applied' } },
    '⚙️ Set time is done',
  ],
  [
    {
      type: 'operations.ended',
      data: { operationId: '7', command: 'kick', state: 'refused', reason: 'no', playerName: 'Ann' },
    },
    '⚙️ Kick of Ann was refused\nNo',
  ],
  [
    { type: 'sidecar.session', data: { state: 'logged-in', reason: 'all is well' } },
    '🔐 The platform session is now: logged in\nAll is well',
  ],
])('tells %o', (event, text) => {
  const { title, message } = bodyOf('ntfy', told(event)) as { title?: string; message: string };
  expect([title, message].filter((line) => line !== undefined).join('\n')).toBe(text);
});

it('has a row of its own for each type', () => {
  for (const type of eventTypeNames) {
    const [sample] = fc.sample(anyEvent(type), 1);
    const text = sample === undefined ? '' : allText(bodyOf('ntfy', told(sample)));
    expect(text, `${type} is told as what is not known: give it a row in says.ts`).not.toContain(
      `📣 ${eventTypes[type]}`,
    );
    expect(isBlank(text)).toBe(false);
  }
});

it('lets nothing through to Discord that means anything there', () => {
  fc.assert(
    fc.property(anyTold, (event) => {
      const { embeds } = bodyOf('discord', event) as {
        embeds: { title: string; description?: string; fields: { value: string }[] }[];
      };
      for (const { title, description = '', fields } of embeds) {
        for (const { value } of fields) expect(value).toMatch(/^`[^`\n]+`$/);
        // As Discord reads it: what is escaped is text, and the rest must not be markup.
        const bare = `${title}\n${description}`.replace(/\\[^0-9A-Za-z\s]/g, '');
        expect(bare).not.toMatch(/[\\*_~`|<>@#[\]()]|:\/\/|^-/m);
        expect(bare).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
        expect(`${title}${description}`.isWellFormed()).toBe(true);
      }
    }),
    { numRuns },
  );
});

describe('the pauses that Discord asks for', () => {
  const answer = { kind: 'answered', status: 204, headers: {}, body: '' } as const;
  it.each([
    [{}, 0],
    [{ headers: { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset-after': '2' } }, 0],
    [{ headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1.234' } }, 1_234],
    [{ headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': 'soon' } }, 0],
    [{ headers: { 'x-ratelimit-remaining': '0' } }, 0],
    [{ status: 429, body: '{"message":"slow","retry_after":0.6501,"global":false}' }, 651],
    [{ status: 429, body: '{"retry_after":-1}' }, 0],
    [{ status: 429, body: '{"retry_after":"1"}' }, 0],
    [{ status: 429, body: '<html>1015</html>' }, 0],
    [{ status: 429, body: 'null' }, 0],
    [{ status: 200, body: '{"retry_after":5}' }, 0],
  ])('%o: %d ms', (given, ms) => {
    expect(templates.pauseAfter('discord', { ...answer, ...given })).toBe(ms);
    expect(templates.pauseAfter('standard', { ...answer, ...given })).toBe(0);
  });
});

it.each([
  [{ status: 404, body: '{"message":"Unknown Webhook","code":10015}' }, true],
  [{ status: 404, body: '<html>' }, false],
  [{ status: 404, body: 'null' }, false],
  [{ status: 400, body: '{"code":10015}' }, false],
])('Discord says that a webhook is no more with its own number alone: %o', (given, isGone) => {
  const answer = { kind: 'answered', headers: {}, ...given } as const;
  expect(templates.isGone('discord', answer)).toBe(isGone);
  expect(templates.isGone('standard', answer)).toBe(false);
});

describe('ntfy', () => {
  it.each([
    ['https://ntfy.sh/my-farm', 'https://ntfy.sh/', 'my-farm'],
    ['https://ntfy.sh/my-farm/', 'https://ntfy.sh/', 'my-farm'],
    ['http://ntfy.lan:8080/my_farm?auth=abc', 'http://ntfy.lan:8080/?auth=abc', 'my_farm'],
    ['https://home.example/ntfy/farm', 'https://home.example/ntfy/', 'farm'],
  ])('is told of the topic in %s at its server', (url, server, topic) => {
    expect(templates.check('ntfy', url)).toBeUndefined();
    const message = templates.messageFor('ntfy', test, { ...to, url });
    expect(message.url).toBe(server);
    expect(JSON.parse(message.body)).toMatchObject({ topic });
  });

  it.each([
    'https://ntfy.sh',
    'https://ntfy.sh/',
    'https://ntfy.sh/a%20b',
    `https://ntfy.sh/${'a'.repeat(65)}`,
  ])('has no topic in %s', (url) => {
    expect(templates.check('ntfy', url)).toContain('must end with the topic');
    expect(templates.check('slack', url)).toBeUndefined();
  });
});

describe('standard', () => {
  it('is what the specification’s own library verifies, and what HMAC says', () => {
    fc.assert(
      fc.property(anyTold, (event) => {
        const { headers, body } = templates.messageFor('standard', event, to);
        expect(new Webhook(secret).verify(body, headers, { jsonParse: false })).toBeUndefined();
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
        const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
        expect(headers).toEqual({
          'content-type': 'application/json',
          'webhook-id': to.id,
          'webhook-timestamp': String(Math.floor(to.sentAt.getTime() / 1_000)),
          'webhook-signature': signature,
        });
        expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
      }),
      { numRuns: count({ small: 50, long: 5_000 }) },
    );
  });

  it('is the event as every door shows it, with the time as the specification calls it', () => {
    const { body } = templates.messageFor('standard', said('Ann', 'hi'), to);
    expect(body).toBe(
      `{"type":"chat.said","timestamp":"2026-11-22T19:00:00.000Z","cursor":"k3f9x-42","data":{"playerId":${anyId},"playerIdStr":"${anyId}","playerName":"Ann","message":"hi"}}`,
    );
  });
});
