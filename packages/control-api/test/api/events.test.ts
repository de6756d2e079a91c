import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../src/store/tables/store-error.ts';
import { settled } from '../game/stage/stage.ts';
import { openApi, testKey } from './stage/open-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

interface Page {
  readonly events: readonly { readonly type: string; readonly cursor: string; readonly data: Shown }[];
  readonly gap: boolean;
  readonly cursor: string;
}

type Shown = Readonly<Record<string, unknown>>;

const minuteMs = 60_000;

function said(message: string): StewardEvent {
  return { type: 'chat.said', data: { playerId: '42', playerName: 'Ann', message } };
}

function released(playerName: string): StewardEvent {
  return { type: 'farmhands.released', data: { playerId: '620826087702429092', playerName } };
}

const joined: StewardEvent = {
  type: 'players.joined',
  data: {
    playerId: '620826087702429092',
    playerName: 'Ann',
    door: 'network-p2p',
    connectionId: 'GN_46265193014',
  },
};

async function pageOf(api: Api, query: string, key?: string): Promise<Page> {
  const answer = await api.ask('GET', `/events${query}`, key === undefined ? {} : { key });
  expect([query, answer.statusCode]).toEqual([query, 200]);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers).not.toHaveProperty('etag');
  return answer.exact as unknown as Page;
}

function wordsOf({ events }: Page): unknown[] {
  return events.map(({ data }) => data['message'] ?? data['playerName']);
}

function tell({ bridge }: Api, ...events: readonly StewardEvent[]): void {
  for (const event of events) bridge.events.append(event);
}

describe('GET /events', () => {
  it('goes forward from page to page, and back to the first, in the order in which it happened', async () => {
    await using api = await openApi();
    const { cursor: begin } = await pageOf(api, '?limit=1');
    tell(api, said('one'), released('two'), said('three'), said('!kick Ann'), released('four'));
    const newest = await pageOf(api, '?limit=2');
    expect(wordsOf(newest)).toEqual(['three', 'four']);
    const older = await pageOf(api, `?limit=2&before=${newest.events[0]?.cursor}`);
    expect(wordsOf(older)).toEqual(['one', 'two']);
    expect(older.gap).toBe(false);

    const first = await pageOf(api, `?limit=3&after=${begin}`);
    expect(wordsOf(first)).toEqual(['one', 'two', 'three']);
    const second = await pageOf(api, `?limit=3&after=${first.cursor}`);
    expect(wordsOf(second)).toEqual(['four']);
    expect(await pageOf(api, `?after=${second.cursor}`)).toEqual({
      events: [],
      gap: false,
      cursor: second.cursor,
    });
    const chat = await pageOf(api, `?topics=chat&after=${begin}`);
    expect(wordsOf(chat)).toEqual(['one', 'three']);
    expect(chat.cursor).toBe(second.cursor);
    expect(wordsOf(await pageOf(api, `?after=${begin}&before=${newest.events[0]?.cursor}`))).toEqual([
      'one',
      'two',
    ]);
  });

  it('begins and ends at a time', async () => {
    await using api = await openApi();
    api.clock.advance(minuteMs);
    tell(api, said('one'));
    api.clock.advance(minuteMs);
    const time = api.clock.date().toISOString();
    tell(api, said('two'));
    for (const isKept of [false, true]) {
      if (isKept) api.watch();
      expect(wordsOf(await pageOf(api, `?topics=chat&after=${time}`))).toEqual(['two']);
      expect(wordsOf(await pageOf(api, `?topics=chat&before=${time}`))).toEqual(['one']);
      expect(wordsOf(await pageOf(api, '?topics=chat&after=2026-11-20T00:00:00Z'))).toEqual(['one', 'two']);
      expect(wordsOf(await pageOf(api, '?topics=chat&after=2026-11-22T00:00:00Z'))).toEqual([]);
    }
  });

  it('shows ids exactly, each with its twin, and identities to those alone who may moderate', async () => {
    const leftKeys = [
      { name: 'friend', scopes: ['read'] },
      { name: 'moderator', scopes: ['read', 'moderate'] },
    ] as const;
    await using api = await openApi({ key: testKey, leftKeys });
    tell(api, joined);
    const seenBy = async (name: string) =>
      (await pageOf(api, '?topics=players', api.secretOf(name))).events.at(-1)?.data;
    const forAll = {
      playerId: 620826087702429092n,
      playerIdStr: '620826087702429092',
      playerName: 'Ann',
      door: 'network-p2p',
    };
    expect(await seenBy('friend')).toEqual(forAll);
    expect(await seenBy('moderator')).toEqual({ ...forAll, connectionId: 'GN_46265193014' });
  });

  it('a key that may only chat hears the chat, also while it waits, and is refused what it names beyond', async () => {
    await using api = await openApi({ key: testKey, leftKeys: [{ name: 'bot', scopes: ['chat'] }] });
    const key = api.secretOf('bot');
    tell(api, joined, said('hello'));
    const page = await pageOf(api, '', key);
    expect(wordsOf(page)).toEqual(['hello']);
    const refused = await api.ask('GET', '/events?topics=chat,players', { key });
    expect(refused.exact).toMatchObject({ status: 403, code: 'insufficient-scope' });
    expect(refused.exact['detail']).toContain('The topic players needs a key with the scope read');

    const waiting = pageOf(api, `?wait=25&after=${page.cursor}`, key);
    await settled();
    tell(api, joined);
    await settled();
    tell(api, said('again'));
    expect(wordsOf(await waiting)).toEqual(['again']);
  });

  it.each([
    [
      '?topics=chta',
      'topics is "chta", which names none, or another: it must be topics, separated by commas: chat,',
    ],
    ['?topics=', 'topics is empty'],
    ['?topics=,', 'topics is ",", which names none'],
    [
      '?after=nowhere',
      'after is "nowhere", which is not one of them: it must be a cursor from this server, or a time',
    ],
    ['?limit=1001', 'limit'],
    ['?wait=26', 'wait'],
    ['?wait=1&before=k3f9x-42', 'wait cannot be used together with before'],
  ])('refuses %s in words', async (query, words) => {
    await using api = await openApi();
    const { exact } = await api.ask('GET', `/events${query}`);
    expect(exact).toMatchObject({ status: 400, code: 'invalid-parameter' });
    expect(exact['detail']).toContain(words);
  });

  it('whose place is of another log begins with what memory holds, says so once, and goes on', async () => {
    await using api = await openApi();
    tell(api, said('one'), said('two'), said('three'));
    for (const place of ['k3f9x-2', `${(await pageOf(api, '')).cursor}000`]) {
      const heard: unknown[] = [];
      const gaps: boolean[] = [];
      let after = place;
      for (let pages = 0; pages < 20; pages += 1) {
        const page = await pageOf(api, `?topics=chat&limit=1&after=${after}`);
        if (page.events.length === 0) break;
        heard.push(...wordsOf(page));
        gaps.push(page.gap);
        after = page.cursor;
      }
      expect(heard).toEqual(['one', 'two', 'three']);
      expect(gaps).toEqual([true, false, false]);
    }
    expect(await pageOf(api, '?before=k3f9x-2')).toMatchObject({ events: [], gap: true });
  });

  it('that cannot be read now is refused with when to ask again', async () => {
    await using api = await openApi();
    vi.spyOn(api.bridge.events, 'page').mockRejectedValueOnce(new StoreError('busy', 'it is locked'));
    const refused = await api.ask('GET', '/events');
    expect(refused.exact).toMatchObject({ status: 503, code: 'state-unreadable', retry: true });
    expect(refused.headers['retry-after']).toBe('5');
  });

  it('without a database has what memory holds, and says that there may have been more', async () => {
    using directory = temporaryDirectory();
    {
      using newer = new DatabaseSync(join(directory.path, 'steward.db'));
      newer.exec('pragma user_version=1000');
    }
    await using api = await openApi({ directory: directory.path });
    tell(api, said('one'));
    const page = await pageOf(api, '?topics=chat');
    expect([wordsOf(page), page.gap]).toEqual([['one'], true]);
    tell(api, said('two'));
    const next = await pageOf(api, `?topics=chat&after=${page.cursor}`);
    expect([wordsOf(next), next.gap]).toEqual([['two'], false]);
  });
});

describe('GET /events?wait', () => {
  it('answers at once what there is, and otherwise as soon as something of its topics happens', async () => {
    await using api = await openApi();
    tell(api, said('one'));
    const page = await pageOf(api, '?topics=chat&wait=25');
    expect(wordsOf(page)).toEqual(['one']);
    let isAnswered = false;
    const waiting = pageOf(api, `?topics=chat&wait=25&after=${page.cursor}`).finally(() => {
      isAnswered = true;
    });
    await settled();
    tell(api, released('Bob'), said('!private'), said(' '));
    await settled();
    expect(isAnswered).toBe(false);
    tell(api, said('two'), said('three'));
    expect(wordsOf(await waiting)).toEqual(['two', 'three']);
  });

  it('answers without anything when it has waited for so long, from where nothing is missed', async () => {
    await using api = await openApi();
    const { cursor } = await pageOf(api, '?topics=chat');
    const waiting = pageOf(api, `?topics=chat&wait=5&after=${cursor}`);
    await settled();
    tell(api, released('Bob'));
    let head = '';
    api.clock.after(5_000, () => {
      ({ head } = api.bridge.events);
      tell(api, said('one'));
    });
    api.clock.advance(5_000);
    const page = await waiting;
    expect(page).toEqual({ events: [], gap: false, cursor: head });
    expect(wordsOf(await pageOf(api, `?topics=chat&after=${page.cursor}`))).toEqual(['one']);
  });

  it('answers at once what is stopped, and 401 where its key ends', async () => {
    const api = await openApi({ key: testKey, leftKeys: [{ name: 'bot', scopes: ['chat'] }] });
    const { cursor } = await pageOf(api, '');
    const ended = api.ask('GET', `/events?wait=25&after=${cursor}`, { key: api.secretOf('bot') });
    const waiting = pageOf(api, `?topics=chat&wait=25&after=${cursor}`);
    await settled();
    await api.ask('DELETE', '/keys?name=bot');
    expect((await ended).exact).toMatchObject({ status: 401, code: 'key-ended' });
    await api[Symbol.asyncDispose]();
    expect((await waiting).events).toEqual([]);
  });

  it('takes a seat, and gives it back when the client leaves', async () => {
    await using api = await openApi({ chatLimits: { connectionsPerAddress: 1 } });
    const client = await api.listen();
    const { cursor } = await pageOf(api, '');
    const query = `?topics=chat&wait=25&after=${cursor}`;
    const url = `/events${query}`;
    const come = once(api.app.server, 'request');
    const left = expect(client.ask(url)).rejects.toThrow();
    const [, response] = await come;
    await settled();
    const refused = await api.ask('GET', url);
    expect(refused.exact).toMatchObject({ status: 429, code: 'too-many-requests', retry: true });
    const gone = once(response, 'close');
    client[Symbol.dispose]();
    await Promise.all([gone, left]);
    await settled();
    const waiting = pageOf(api, query);
    await settled();
    tell(api, said('one'));
    expect(wordsOf(await waiting)).toEqual(['one']);
  });
});
