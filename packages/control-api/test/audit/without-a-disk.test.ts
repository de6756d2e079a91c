import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type Endpoint, isWrite, type Method, methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { fillDisk } from '@steward/testing/full-disk';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { goodQueries, keysForQueries, leftBackup } from '../api/stage/operations.ts';
import { Client } from '../chat/stage/client.ts';
import { settled } from '../game/stage/stage.ts';
import { eventually } from './stage/lines.ts';

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
          /^time of day set; this is only in the log, because it could not be stored in the audit: /,
        ),
      }),
    );
  });

  it('readiness says that changes are logged alone', async () => {
    await using stage = await openLosing();
    await stage.lose();
    expect((await stage.api.ask('GET', '/health/ready')).exact).toMatchObject({
      ready: true,
      obstacles: [{ reason: expect.stringContaining('only the log shows what is changed') }],
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
  expect(text).toContain('line written in the game: void; this is only in the log');
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
  expect(String(log.read())).toContain('the disk did not store it within 10000 ms');
  rmSync(hangs);
});

describe('what is done in a file of its own, on a disk that hangs', () => {
  it.each([
    ['another key', 'bot', false],
    ['API_KEY', undefined, true],
  ] as const)('waits until it is noted who does it; with %s it is then done: %s', async (_, name, isDone) => {
    using directory = temporaryDirectory();
    const hangs = join(directory.path, 'steward.db.hangs');
    writeFileSync(hangs, '');
    await using api = await openApi({
      directory: directory.path,
      storeWriter: hangingWriter,
      key: testKey,
      leftKeys: [{ name: 'bot', scopes: ['operate'] }],
      log: new PassThrough(),
      game: false,
    });
    const file = () => readFileSync(join(directory.path, 'server-settings.json'), 'utf8');
    const before = file();
    const key = name === undefined ? testKey : api.secretOf(name);
    const asking = api.ask('POST', '/settings?maxPlayers=7', { key });
    await settled();
    api.clock.advance(4_999);
    await settled();
    expect(file()).toBe(before);
    api.clock.advance(1);
    await settled();
    if (isDone) await vi.waitFor(() => expect(file()).not.toBe(before), patience);
    await settled();
    // What it did has to be kept as well, and that waits for the disk.
    if (isDone) rmSync(hangs);
    else api.clock.advance(5_000);
    const { exact } = await asking;
    rmSync(hangs, { force: true });
    expect(exact).toMatchObject(isDone ? { success: true } : { status: 503, code: 'state-unwritable' });
    expect(file() !== before).toBe(isDone);
  });
});

/** What needs no line before it is done: every other write has to be marked as one that does. */
const needNoLine: ReadonlySet<string> = new Set<keyof typeof endpoints>([
  // The game does it, which is asked once the database has it.
  ...(['setRendering', 'saveGame', 'grantAdmin', 'announce', 'kickPlayer', 'deleteFarmhand'] as const),
  ...(['setTime', 'sendChat'] as const),
  // Done in the database itself.
  ...(['createSchedule', 'deleteSchedule', 'createKey', 'revokeKey', 'rotateKey'] as const),
  ...(['createWebhook', 'deleteWebhook', 'resumeWebhook', 'testWebhook'] as const),
  // Makes room, or lets players in: what a full disk needs.
  ...(['deleteBackup', 'cancelDrain'] as const),
]);

/** Each write by this method that is noted before anything is done, as somebody asks for it. */
function notedFirst(by: Method): readonly string[] {
  return Object.entries<Endpoint>(endpoints).flatMap(([id, endpoint]) => {
    const { method, path } = methodAndPath(endpoint);
    if (method !== by || !isWrite(endpoint) || needNoLine.has(id)) return [];
    return [`${path.slice(1)}${goodQueries[id] ?? ''}`];
  });
}

async function isNotBegun(method: Method, asked: string): Promise<void> {
  using directory = temporaryDirectory();
  await using api = await openApi({
    ...keysForQueries,
    directory: directory.path,
    storeWriter: fullWriter,
    leftKeys: [{ name: 'bot', scopes: ['admin'] }],
    log: new PassThrough(),
  });
  const known = async () => (await api.ask('GET', '/operations')).exact;
  const before = await known();
  const key = api.secretOf('bot');
  fillDisk(true);
  expect((await api.ask(method, `/${asked}`, { key })).exact).toMatchObject({
    status: 503,
    code: 'state-unwritable',
    detail: expect.stringContaining('could not be recorded in the audit'),
  });
  expect(await known()).toEqual(before);
  expect((await api.ask('GET', '/drain')).exact).not.toHaveProperty('draining');
}

it.each([
  'drain?when=now',
  'drain?when=empty',
  'backups',
  'farms?farmName=Meadow',
  'farms/load?id=Meadow_1',
  'schedules/run?name=nightly',
  ...notedFirst('POST'),
])('what changes more than the database is not begun by another key on a full disk: POST /%s', (asked) =>
  isNotBegun('POST', asked),
);

it.each(notedFirst('DELETE'))(
  'what changes more than the database is not begun by another key on a full disk: DELETE /%s',
  (asked) => isNotBegun('DELETE', asked),
);

it('room is made, and players are let in again, by another key on a full disk: the log has who did it', async () => {
  using directory = temporaryDirectory();
  const log = new PassThrough();
  await using api = await openApi({
    directory: directory.path,
    storeWriter: fullWriter,
    key: testKey,
    leftKeys: [{ name: 'bot', scopes: ['operate', 'admin'] }],
    leftBackups: [{ id: leftBackup }],
    leftDrain: { when: 'empty', restart: false, minutes: 10, seconds: 5 },
    log,
  });
  const key = api.secretOf('bot');
  fillDisk(true);
  await api.ask('DELETE', `/backups?id=${leftBackup}`, { key });
  expect((await api.ask('GET', '/backups')).exact).toMatchObject({ backups: [] });
  await api.ask('DELETE', '/drain', { key });
  expect((await api.ask('GET', '/drain')).exact).not.toHaveProperty('draining');
  const lines = String(log.read());
  for (const said of ['backup deleted', 'drain ended'])
    expect(lines).toContain(`${said}; this is only in the log`);
});

it('what a full disk did not take stands in the audit once it takes a line again', async () => {
  using directory = temporaryDirectory();
  const options = { directory: directory.path, storeWriter: fullWriter, log: new PassThrough() };
  {
    await using api = await openApi(options);
    fillDisk(true);
    await api.ask('POST', '/time?value=700');
    fillDisk(false);
    await api.ask('POST', '/time?value=800');
    const lines = [
      { parameters: { value: 700 }, outcome: 'void' },
      { parameters: { value: 800 }, outcome: 'applied' },
    ];
    await eventually(api, '', lines);
    fillDisk(true);
    await api.ask('POST', '/time?value=900');
    fillDisk(false);
  }
  await using api = await openApi(options);
  await eventually(api, 'limit=1', [{ parameters: { value: 900 }, outcome: 'void' }]);
});
