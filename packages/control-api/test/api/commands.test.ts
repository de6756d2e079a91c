import { eventually } from '@steward/testing/eventually';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../game/stage/memory-store.ts';
import { hello, settled } from '../game/stage/stage.ts';
import { fullFarm, ids } from './stage/full-farm.ts';
import { handedOver } from './stage/handed-over.ts';
import { openApi } from './stage/open-api.ts';

describe('a change answers with what was there before, what is there now, and its operation', () => {
  it('POST /rendering', async () => {
    await using api = await openApi();
    const { exact } = await api.ask('POST', '/rendering?fps=5');
    expect(exact).toEqual({
      success: true,
      message: 'Rendering at 5 frames a second',
      operationId: '1001',
      fps: 5,
      previousFps: 0,
      before: { fps: 0 },
      after: { fps: 5 },
    });
    expect((await api.ask('GET', '/rendering')).exact).toEqual({ fps: 5 });
    expect((await api.ask('POST', '/rendering?fps=2147483647')).statusCode).toBe(200);
    expect((await api.ask('POST', '/rendering?fps=0')).exact).toMatchObject({ message: 'Rendering is off' });
  });

  it('POST /time, for any integer in the range', async () => {
    await using api = await openApi();
    expect((await api.ask('POST', '/time?value=675')).exact).toMatchObject({
      timeOfDay: 675,
      before: { timeOfDay: 930 },
      after: { timeOfDay: 675 },
    });
  });

  it.each([
    ['name=bOB', ids.bob, 'Bob'],
    [`playerId=${ids.twinTwo}`, ids.twinTwo, 'kim'],
    [`playerId=000${ids.twinOne}`, ids.twinOne, 'Kim'],
  ])('POST /roles/admin?%s', async (query, id, playerName) => {
    await using api = await openApi();
    const { exact, body } = await api.ask('POST', `/roles/admin?${query}`);
    expect(exact).toMatchObject({
      playerIdStr: id,
      playerName,
      before: { isAdmin: false },
      after: { isAdmin: true },
    });
    expect(body).toContain(`"playerId":${id},`);
    expect((await api.ask('POST', `/roles/admin?${query}`)).exact).toMatchObject({
      before: { isAdmin: true },
    });
  });

  it('POST /save, while nobody plays', async () => {
    await using api = await openApi();
    api.farm.state.players = [];
    const { exact } = await api.ask('POST', '/save');
    expect(exact).toEqual({
      success: true,
      message: 'The farm is saved, as save 13',
      operationId: '1001',
      saveGeneration: 13,
      before: { saveGeneration: 12 },
      after: { saveGeneration: 13 },
    });
  });

  it('DELETE /farmhands', async () => {
    await using api = await openApi();
    const { exact } = await api.ask('DELETE', '/farmhands?name=bob');
    expect(exact).toMatchObject({
      success: true,
      dryRun: false,
      playerIdStr: ids.bob,
      after: { exists: false },
    });
    expect((await api.ask('GET', '/farmhands')).body).not.toContain('Bob');
  });
});

describe('POST /save while somebody plays', () => {
  it('is 409, says who, and that the end of the day saves', async () => {
    await using api = await openApi();
    const { statusCode, headers, exact } = await api.ask('POST', '/save');
    expect([statusCode, headers['retry-after']]).toEqual([409, undefined]);
    const detail =
      'Somebody is on the farm (Ann): the game saves when the day ends. Wait for that, or until nobody plays';
    expect(exact).toMatchObject({ code: 'players-online', detail, operationId: '1001' });
    expect(api.farm.state.farm?.saveGeneration).toBe(12);
  });

  it('names nobody whom the game has named', async () => {
    await using api = await openApi();
    api.farm.mood = { refuses: 'players-online', message: 'Ann plays' };
    const { exact } = await api.ask('POST', '/save');
    expect(exact['detail']).toMatch(/^Ann plays: the game saves/);
  });
});

describe('a dry run of a deletion', () => {
  it('says what would be deleted, and changes nothing', async () => {
    await using api = await openApi();
    const { exact } = await api.ask('DELETE', `/farmhands?playerId=${ids.bob}&dryRun=true`);
    expect(exact).toMatchObject({ success: true, dryRun: true, playerName: 'Bob' });
    expect(exact).not.toHaveProperty('operationId');
    expect(api.farm.heard).toEqual([]);
    expect((await api.ask('GET', '/farmhands')).body).toContain('Bob');
  });

  it('is a real one with dryRun=false', async () => {
    await using api = await openApi();
    await api.ask('DELETE', '/farmhands?name=bob&dryRun=false');
    expect(api.farm.heard).toEqual(['deleteFarmhand']);
  });
});

describe.each(['', '&dryRun=true'])('DELETE /farmhands?…%s', (dryRun) => {
  it.each([
    ['name=Nobody', 404, 'farmhand-not-found'],
    ['playerId=99', 404, 'farmhand-not-found'],
    ['name=Ann', 409, 'farmhand-online'],
    ['name=KIM', 409, 'ambiguous-name'],
  ])('%s is %i %s', async (query, status, code) => {
    await using api = await openApi();
    const answer = await api.ask('DELETE', `/farmhands?${query}${dryRun}`);
    expect([answer.statusCode, answer.exact['code']]).toEqual([status, code]);
  });

  it('lists everyone whom an ambiguous name fits, with exact ids', async () => {
    await using api = await openApi();
    const { body, exact } = await api.ask('DELETE', `/farmhands?name=kim${dryRun}`);
    expect(exact['matches']).toHaveLength(2);
    expect(body).toContain(`{"id":${ids.twinTwo},"idStr":"${ids.twinTwo}","name":"kim"}`);
  });

  it('is 503 without a game, and 501 with one that cannot', async () => {
    await using alone = await openApi({ game: false });
    const away = await alone.ask('DELETE', `/farmhands?name=Bob${dryRun}`);
    expect([away.statusCode, away.headers['retry-after'], away.exact['retry']]).toEqual([503, '5', true]);
    await using other = await openApi({ capabilities: ['setTime'] });
    expect((await other.ask('DELETE', `/farmhands?name=Bob${dryRun}`)).statusCode).toBe(501);
  });

  it('is 503 until a game that has come back has told everything, as the farmhands before may be of another farm', async () => {
    await using api = await openApi({ leftBackups: [], environment: { BACKUP_BEFORE_DELETE: 'true' } });
    const ask = () => api.ask('DELETE', `/farmhands?name=Ann${dryRun}`);
    api.gameGoes();
    await settled();
    const back = api.mode.connect();
    back.say({ ...hello, params: { ...hello.params, capabilities: ['deleteFarmhand'] } });
    await settled();
    const { statusCode, headers, exact } = await ask();
    expect([statusCode, headers['retry-after'], exact['retry']]).toEqual([503, '5', true]);
    expect(exact['detail']).toContain('the game has not sent its complete state yet');
    back.say({ jsonrpc: '2.0', method: 'state', params: fullFarm() });
    await settled();
    expect((await ask()).exact).toMatchObject({ code: 'farmhand-online' });
  });
});

describe('what the game says becomes a status', () => {
  it.each([
    ['not-ready', 503, 'game-unavailable'],
    ['saving', 503, 'game-unavailable'],
    ['busy', 503, 'game-unavailable'],
    ['not-found', 404, 'player-not-found'],
    ['out-of-range', 400, 'invalid-parameter'],
    ['unsupported', 501, 'not-supported-by-game'],
    ['failed', 502, 'command-failed'],
    ['of-a-newer-game', 502, 'command-failed'],
  ])('%s: %i %s', async (refuses, status, code) => {
    await using api = await openApi();
    api.farm.mood = { refuses, message: `because it is ${refuses}` };
    const answer = await api.ask('POST', '/roles/admin?name=Bob');
    expect(answer.statusCode).toBe(status);
    // Existing clients look for these words, whatever the game's own are.
    const words = refuses === 'not-found' ? ' (not found): GET /farmhands lists all of them' : '';
    const detail = `because it is ${refuses}${words}`;
    expect(answer.exact).toMatchObject({ code, detail, operationId: '1001' });
    expect(answer.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
  });

  it('nothing in time: 504, and it will never be applied', async () => {
    await using api = await openApi();
    api.farm.mood = 'silent';
    const asking = api.ask('POST', '/time?value=700');
    await handedOver(api.farm);
    api.clock.advance(5_000);
    const answer = await asking;
    expect(answer.statusCode).toBe(504);
    expect(answer.exact).toMatchObject({ code: 'command-void', applied: false, operationId: '1001' });
  });

  it('a claim and then nothing: 504, unknown, and the operation tells later', async () => {
    await using api = await openApi();
    api.farm.mood = 'claims-and-is-silent';
    const asking = api.ask('POST', '/time?value=700');
    await handedOver(api.farm);
    api.clock.advance(10_000);
    const answer = await asking;
    expect(answer.exact).toMatchObject({ status: 504, code: 'outcome-unknown', applied: null });
    expect((await api.ask('GET', '/operations/1001')).exact).toMatchObject({
      command: 'setTime',
      state: 'unknown',
    });
  });
});

describe('GET /operations/{id}', () => {
  it('tells what became of a command', async () => {
    await using api = await openApi();
    await api.ask('POST', '/roles/admin?name=Bob');
    const { body, exact } = await api.ask('GET', '/operations/1001');
    expect(exact).toMatchObject({ operationId: '1001', state: 'applied', after: { isAdmin: true } });
    expect(body).toContain(`"subject":{"id":${ids.bob},"idStr":"${ids.bob}","name":"Bob"}`);
    await api.ask('DELETE', '/farmhands?name=Ann');
    expect((await api.ask('GET', '/operations/1002')).exact).toMatchObject({
      state: 'refused',
      refusal: { code: 'online' },
    });
  });

  it.each([
    ['5', 404, 'operation-not-found'],
    ['18446744073709551616', 400, 'invalid-parameter'],
    ['-1', 400, 'invalid-parameter'],
    ['abc', 400, 'invalid-parameter'],
    ['9'.repeat(101), 400, 'invalid-parameter'],
  ])('%s is %i %s', async (id, status, code) => {
    await using api = await openApi();
    const answer = await api.ask('GET', `/operations/${id}`);
    expect([answer.statusCode, answer.exact['code']]).toEqual([status, code]);
  });
});

/** What is answered as soon as players are warned. */
const begunAtOnce = ['/drain?when=now&seconds=60', '/farms?seconds=60&force=true'];

describe('Idempotency-Key', () => {
  it('gives a retry the first answer, and carries the request out once', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k-1' };
    const first = await api.ask('POST', '/time?value=1200', { headers });
    await api.ask('POST', '/time?value=1300');
    const again = await api.ask('POST', '/time?value=1200', { headers });
    expect(again.body).toBe(first.body);
    expect(api.farm.state.status.timeOfDay).toBe(1300);
  });

  it('is 422 with another request, on another route too', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k-1' };
    await api.ask('POST', '/time?value=1200', { headers });
    for (const url of ['/time?value=1300', '/rendering?fps=1'])
      expect((await api.ask('POST', url, { headers })).exact).toMatchObject({
        code: 'idempotency-key-reused',
      });
    expect(api.farm.heard).toEqual(['setTime']);
  });

  it.each(begunAtOnce)(
    'tells a retry that it was cancelled, and begins nothing a second time: POST %s',
    async (url) => {
      await using api = await openApi();
      const headers = { 'idempotency-key': 'k-1' };
      const first = await api.ask('POST', url, { headers });
      const again = await api.ask('POST', url, { headers });
      expect([first.statusCode, again.statusCode, again.body]).toEqual([202, 202, first.body]);
      await api.ask('DELETE', '/drain');
      expect((await api.ask('POST', url, { headers })).exact).toMatchObject({
        status: 504,
        code: 'command-void',
        applied: false,
        operationId: first.exact['operationId'],
        detail: expect.stringContaining('it was cancelled'),
      });
      expect((await api.ask('GET', '/drain')).exact).not.toHaveProperty('draining');
    },
  );

  it.each(begunAtOnce)('is free again once a kill has ended what was begun: POST %s', async (url) => {
    const [store, left] = [new MemoryStore(), new MemoryStore()];
    await using before = await openApi({ store });
    const headers = { 'idempotency-key': 'k-1' };
    const { exact } = await before.ask('POST', url, { headers });
    // What a kill would leave at this moment.
    for (const [id, operation] of store.kept) left.kept.set(id, operation);
    await using api = await openApi({ store: left });
    expect(api.bridge.operations.find(String(exact['operationId']))).toMatchObject({ state: 'void' });
    const again = await api.ask('POST', url, { headers });
    expect(again.statusCode).toBe(202);
    // Each is told of, and has its own lines in the audit.
    expect(again.exact['operationId']).not.toBe(exact['operationId']);
    expect((await api.ask('GET', '/drain')).exact).toMatchObject({
      draining: { phase: 'counting', operationId: again.exact['operationId'] },
    });
  });

  it.each(['', 'with space', 'ü', 'x'.repeat(256)])('%j is none', async (key) => {
    await using api = await openApi();
    const answer = await api.ask('POST', '/time?value=1200', { headers: { 'idempotency-key': key } });
    expect(answer.exact).toMatchObject({ code: 'invalid-parameter' });
    expect(answer.exact['detail']).toMatch(/^idempotency-key /);
  });
});

it('DELETE /drain says who starts a game that the service does not start itself', async () => {
  await using api = await openApi();
  expect((await api.ask('POST', '/drain?when=now&seconds=0')).statusCode).toBe(202);
  const drained = (wanted: string) =>
    eventually(
      async () => {
        const { draining } = (await api.ask('GET', '/drain')).exact as { draining?: { phase: string } };
        return draining?.phase === wanted || undefined;
      },
      { missing: () => `it is not ${wanted}` },
    );
  await drained('stopping');
  api.gameGoes();
  await drained('stopped');
  expect((await api.ask('DELETE', '/drain')).exact).toMatchObject({
    wasStopped: true,
    message:
      'The game can connect again: start it where it was started, unless something starts it by itself',
  });
});
