import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { openAgainMs } from '../../src/store/store.ts';
import { openApi } from '../api/stage/open-api.ts';
import { Client } from '../chat/stage/client.ts';
import { eventually, linesOf } from './stage/lines.ts';

const patience = { interval: 5, timeout: 20_000 };

it('what is under way when the service stops has a line each, by either door, and is not interrupted', async () => {
  using directory = temporaryDirectory();
  let asking: Promise<unknown>;
  {
    await using api = await openApi({ directory: directory.path });
    api.farm.mood = 'claims-and-is-silent';
    const { port } = await api.listen();
    const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
    client.send({ type: 'chat_send', payload: { author: 'Robin', message: 'hello', id: '1' } });
    const gone = new AbortController();
    void fetch(`http://127.0.0.1:${port}/time?value=900`, { method: 'POST', signal: gone.signal }).catch(
      () => {},
    );
    asking = api.ask('POST', '/time?value=1200');
    await vi.waitFor(() => expect(api.farm.held).toHaveLength(3), patience);
    gone.abort();
  }
  await asking;
  await using api = await openApi({ directory: directory.path, game: false });
  const lines = await linesOf(api, 'outcome=unknown');
  expect(lines.map(({ door, action }) => `${door} ${action}`).toSorted()).toEqual([
    'http setTime',
    'http setTime',
    'ws sendChat',
  ]);
  expect(lines.filter(({ interrupted }) => interrupted)).toEqual([]);
});

it('of an operation that had ended when its service was killed, a second line says how, though the first had not come yet', async () => {
  using directory = temporaryDirectory();
  let operationId: unknown;
  {
    await using api = await openApi({ directory: directory.path });
    operationId = (await api.ask('POST', '/time?value=900')).exact['operationId'];
    expect(await linesOf(api)).toMatchObject([{ operationId, outcome: 'applied' }]);
  }
  {
    using database = new DatabaseSync(join(directory.path, 'steward.db'));
    // As it is on the disk from the end of an operation until its line is there.
    database.exec(`
      insert into audit_begun
        select n, at, sort, actor, action, json_set(body, '$.operation', operation) from audit;
      delete from audit;
    `);
  }
  for (const _ of ['at the next start', 'and once alone']) {
    await using api = await openApi({ directory: directory.path, game: false });
    api.watch();
    const about = { action: 'setTime', operationId };
    await eventually(api, '', [
      { ...about, outcome: 'applied' },
      { ...about, outcome: 'unknown', interrupted: true },
    ]);
    expect((await linesOf(api))[0]).not.toHaveProperty('interrupted');
  }
});

it('of a database that is opened late the lines go on behind those that it has', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'steward.db');
  const away = join(directory.path, 'away');
  let last: unknown;
  {
    await using api = await openApi({ directory: directory.path });
    // Under a key the stage does not number it as the next process's first one.
    await api.ask('POST', '/settings?maxPlayers=7', { headers: { 'idempotency-key': 'k-1' } });
    last = (await linesOf(api))[0]?.['number'];
  }
  renameSync(path, away);
  mkdirSync(path);
  const log = new PassThrough();
  await using api = await openApi({ directory: directory.path, game: false, log });
  api.watch();
  await api.ask('POST', '/time?value=800');
  expect((await api.ask('GET', '/audit')).exact).toMatchObject({ code: 'state-unreadable' });
  rmdirSync(path);
  renameSync(away, path);
  api.clock.advance(openAgainMs);
  await vi.waitFor(async () => expect((await api.ask('GET', '/audit')).statusCode).toBe(200), patience);
  await api.connect();
  expect(await linesOf(api)).toMatchObject([{ action: 'changeSettings', number: last }]);
  await api.ask('POST', '/time?value=900');
  await eventually(api, `after=${String(last)}`, [{ parameters: { value: 900 }, outcome: 'applied' }]);
  expect(String(log.read())).toContain('time of day set: refused; this is only in the log');
});
