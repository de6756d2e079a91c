import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { linesOf } from './stage/lines.ts';

describe('GET /audit', () => {
  it('has the newest first, and with after the oldest, page by page', async () => {
    await using api = await openApi({ game: false });
    for (const value of [700, 800, 900, 1000]) {
      await api.ask('POST', `/time?value=${value}`);
      api.clock.advance(1_000);
    }
    const values = async (query: string) =>
      (await linesOf(api, query)).map(({ parameters }) => (parameters as { value: number }).value);
    const numbers = (await linesOf(api)).map(({ number }) => number);
    expect(await values('')).toEqual([1000, 900, 800, 700]);
    expect(await values('limit=2')).toEqual([1000, 900]);
    expect(await values(`limit=2&before=${numbers[1]}`)).toEqual([800, 700]);
    expect(await values('after=0&limit=3')).toEqual([700, 800, 900]);
    expect(await values(`after=${numbers[1]}`)).toEqual([1000]);
    expect(await values(`after=${numbers[0]}`)).toEqual([]);
    expect(await values('after=2026-11-21T00:00:01Z&before=2026-11-21T00:00:03Z')).toEqual([800, 900]);
    expect(await values('before=2026-11-21T00:00:02Z')).toEqual([800, 700]);
    expect(await values('after=2026-11-22T00:00:00Z')).toEqual([]);
  });

  it('has what somebody did, one thing that was done, or what ended so', async () => {
    await using api = await openApi();
    await api.ask('POST', '/time?value=700');
    await api.ask('DELETE', '/farmhands?name=Ann');
    await api.ask('DELETE', '/farmhands?name=Bob');
    const actions = async (query: string) => (await linesOf(api, query)).map(({ action }) => action);
    expect(await actions('action=deleteFarmhand')).toEqual(['deleteFarmhand', 'deleteFarmhand']);
    expect(await actions('action=deleteFarmhand&outcome=applied')).toEqual(['deleteFarmhand']);
    expect(await actions('outcome=refused')).toEqual(['deleteFarmhand']);
    expect(await actions('actor=open')).toHaveLength(3);
    expect(await actions('actor=owner')).toEqual([]);
  });

  it('has what a key did by whatever name it has', async () => {
    await using api = await openApi({ key: testKey });
    const name = '🐔'.repeat(64);
    const { exact } = await api.ask('POST', `/keys?name=${name}&scopes=operate`);
    await api.ask('POST', '/time?value=700', { key: String(exact['secret']) });
    expect(await linesOf(api, `actor=${name}`)).toMatchObject([{ action: 'setTime', actor: name }]);
  });

  it.each([
    [
      'after=yesterday',
      'after is "yesterday", which is not one of them: it must be the number of a line, or a time in UTC, such as 2026-11-21T06:30:00Z',
    ],
    ['limit=1001', 'limit is "1001", which is out of range: it must be an integer from 1 to 1000'],
    [
      'outcome=done',
      expect.stringContaining('it must be one of applied, refused, void, unknown, failed, denied'),
    ],
    ['action=DELETE%20x', expect.stringContaining('it must be the name of an endpoint')],
  ])('of "%s" is a 400 that says what is wrong', async (query, detail) => {
    await using api = await openApi({ game: false });
    const { exact } = await api.ask('GET', `/audit?${query}`);
    expect(exact).toMatchObject({ status: 400, code: 'invalid-parameter', detail });
  });

  it('outlives the service', async () => {
    using directory = temporaryDirectory();
    for (const value of [700, 800]) {
      await using api = await openApi({ directory: directory.path, game: false });
      await api.ask('POST', `/time?value=${value}`);
    }
    await using api = await openApi({ directory: directory.path, game: false });
    expect(await linesOf(api)).toMatchObject([
      { parameters: { value: 800 } },
      { parameters: { value: 700 } },
    ]);
  });

  it('is state-unreadable where there is no database', async () => {
    using directory = temporaryDirectory();
    using newer = new DatabaseSync(join(directory.path, 'steward.db'));
    newer.exec('create table later (x); pragma user_version=1000');
    newer.close();
    await using api = await openApi({ directory: directory.path });
    expect((await api.ask('GET', '/audit')).exact).toMatchObject({
      status: 503,
      code: 'state-unreadable',
      detail: expect.stringMatching(/^The audit cannot be read: .*newer version/),
    });
  });
});
