import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fillDisk } from '@steward/testing/full-disk';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { Client } from '../chat/stage/client.ts';
import { settled } from '../game/stage/stage.ts';

afterEach(() => fillDisk(false));

const fullWriter = new URL('../store/full-writer.ts', import.meta.url);
const hangingWriter = new URL('./stage/hanging-writer.ts', import.meta.url);
const deadWriter = new URL('./stage/dead-writer.ts', import.meta.url);
const patience = { interval: 5, timeout: 20_000 };

/** An API with a key for a bot, whose database is of no more use once `lose` has resolved. */
async function openLosing() {
  const directory = temporaryDirectory();
  const log = new PassThrough();
  let key: string;
  {
    await using api = await openApi({ key: testKey, directory: directory.path });
    const made = await api.ask('POST', '/keys?name=bot&scopes=operate,chat');
    key = String(made.exact['secret']);
  }
  const api = await openApi({ key: testKey, directory: directory.path, storeWriter: deadWriter, log });
  return {
    api,
    key,
    /** The lines of the log so far that no other call has given. */
    lines: () =>
      String(log.read() ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async lose() {
      await api.ask('GET', '/status', { key: 'wrong' });
      await api.ask('POST', '/farmhands/release?name=Bob');
      const ready = () => api.ask('GET', '/health/ready');
      await vi.waitFor(
        async () =>
          expect((await ready()).exact).toMatchObject({ obstacles: [{ code: 'state-unreadable' }] }),
        patience,
      );
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

describe('without a database', () => {
  it('what the owner does is done, and logged with all that the audit would have', async () => {
    await using stage = await openLosing();
    const { api, lines } = stage;
    await stage.lose();
    lines();
    expect((await api.ask('POST', '/time?value=1200')).exact).toMatchObject({ success: true });
    expect(lines()).toContainEqual(
      expect.objectContaining({
        level: 40,
        actor: 'owner',
        address: '127.0.0.1',
        door: 'http',
        action: 'setTime',
        outcome: 'applied',
        parameters: { value: 1200 },
        msg: expect.stringMatching(
          /^time of day set; the log alone says so, as it could not be kept in the audit: /,
        ),
      }),
    );
  });

  it('readiness says that changes are logged alone', async () => {
    await using stage = await openLosing();
    await stage.lose();
    expect((await stage.api.ask('GET', '/health/ready')).exact).toMatchObject({
      ready: true,
      obstacles: [{ reason: expect.stringContaining('what is changed is told by the log alone') }],
    });
  });

  it('with another key nothing is changed or said, by either door, and it is state-unreadable', async () => {
    await using stage = await openLosing();
    const { api, key } = stage;
    const { port } = await api.listen();
    const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
    client.send({ type: 'auth', payload: { token: key } });
    await client.next('auth_success');
    await stage.lose();
    const { exact } = await api.ask('POST', '/time?value=1200', { key });
    expect(exact).toMatchObject({ status: 503, code: 'state-unreadable' });
    client.send({ type: 'chat_send', payload: { author: 'Robin', message: 'hello', id: '1' } });
    expect((await client.next('chat_sent')).payload).toMatchObject({ status: 'refused' });
    expect(api.farm.heard).not.toContain('setTime');
    expect(api.farm.heard).not.toContain('sendChat');
  });
});

it('on a full disk a line of the chat is refused, and its line is in the log without a word of it', async () => {
  using directory = temporaryDirectory();
  const log = new PassThrough();
  await using api = await openApi({ directory: directory.path, storeWriter: fullWriter, log });
  fillDisk(true);
  expect((await api.ask('POST', '/chat?message=swordfish&author=Robin')).statusCode).toBe(503);
  const text = String(log.read());
  expect(text).toContain('line said in the game; the log alone says so');
  expect(text).toContain('"author":"Robin"');
  expect(text).not.toContain('swordfish');
});

it('a disk that hangs keeps nobody waiting for a line for more than ten seconds', async () => {
  using directory = temporaryDirectory();
  const log = new PassThrough();
  const hangs = join(directory.path, 'steward.db.hangs');
  writeFileSync(hangs, '');
  await using api = await openApi({
    directory: directory.path,
    storeWriter: hangingWriter,
    log,
    game: false,
  });
  let isAnswered = false;
  const asking = api.ask('POST', '/time?value=1200').then((answer) => {
    isAnswered = true;
    return answer;
  });
  await settled();
  api.clock.advance(9_999);
  await settled();
  expect(isAnswered).toBe(false);
  api.clock.advance(1);
  expect((await asking).exact).toMatchObject({ code: 'game-unavailable' });
  expect(String(log.read())).toContain('the disk did not take it within 10000 ms');
  rmSync(hangs);
});
