import { type Endpoint, isWrite, methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { handedOver } from '../api/stage/handed-over.ts';
import { openApi } from '../api/stage/open-api.ts';
import { goesOn, goodQueries, stageOf } from '../api/stage/operations.ts';
import { settled } from '../game/stage/stage.ts';
import { openedStore } from '../store/opened-store.ts';
import { eventually, linesOf } from './stage/lines.ts';

const writes = Object.entries<Endpoint>(endpoints).flatMap(([id, endpoint]) =>
  isWrite(endpoint) ? [{ id, endpoint, ...methodAndPath(endpoint) }] : [],
);

/** What it is asked with, but for what is secret. */
function told(id: string, endpoint: Endpoint): object {
  const given = [...new URLSearchParams(goodQueries[id])];
  const shown = given.filter(([name]) => endpoint.query?.[name]?.isSecret !== true);
  const values = shown.map(([name, text]) => [name, endpoint.query?.[name]?.kind.parse(text)] as const);
  return Object.fromEntries(values.map(([name, parsed]) => [name, parsed?.ok ? parsed.value : undefined]));
}

describe('a write', () => {
  it.each(writes)(
    '$method $path has one line when it is answered',
    async ({ id, endpoint, method, path }) => {
      await using api = await openApi(stageOf(id));
      const { exact } = await api.ask(method, `${path}${goodQueries[id] ?? ''}`, {
        headers: { 'x-request-id': 'r-1' },
        remoteAddress: '::ffff:192.0.2.7',
      });
      const whom = (exact['row'] ?? exact) as Record<string, unknown>;
      expect(await linesOf(api, 'limit=1')).toEqual([
        {
          number: expect.any(Number),
          at: '2026-11-21T00:00:00.000Z',
          actor: 'owner',
          address: '192.0.2.7',
          door: 'http',
          action: id,
          says: endpoint.audit,
          parameters: told(id, endpoint),
          outcome: goesOn(id) ? 'unknown' : 'applied',
          operationId: exact['operationId'],
          requestId: 'r-1',
          ...(whom['playerId'] === undefined
            ? {}
            : { subject: { id: whom['playerId'], idStr: whom['playerIdStr'], name: whom['playerName'] } }),
        },
      ]);
    },
  );

  it('that goes on has a second line once it has ended, by who began it, whoever asked again', async () => {
    await using api = await openApi();
    const asked = (id: string) => ({ headers: { 'x-request-id': id, 'idempotency-key': 'k-1' } });
    await api.ask('POST', '/drain?when=empty', asked('first'));
    await api.ask('POST', '/drain?when=empty', asked('again'));
    await api.ask('DELETE', '/drain');
    await settled();
    const lines = await linesOf(api, 'action=startDrain');
    expect(lines).toMatchObject([
      { outcome: 'void', requestId: 'first' },
      { outcome: 'unknown', requestId: 'first' },
    ]);
  });

  it('of which nothing was done says why, and one that is only tried out, or cannot be read, has no line', async () => {
    await using api = await openApi();
    await api.ask('DELETE', '/farmhands?name=Bob&dryRun=true');
    await api.ask('POST', '/time?value=1');
    await api.ask('POST', '/time?valeu=1200');
    await api.ask('DELETE', '/farmhands?name=Ann');
    api.farm.mood = { refuses: 'failed', message: 'it failed' };
    await api.ask('POST', '/time?value=1200');
    expect(await linesOf(api)).toMatchObject([
      {
        actor: 'open',
        action: 'setTime',
        outcome: 'refused',
        problem: 'command-failed',
        operationId: '1002',
      },
      { actor: 'open', action: 'deleteFarmhand', outcome: 'refused', problem: 'farmhand-online' },
    ]);
  });

  it('without a game is refused', async () => {
    await using api = await openApi({ game: false });
    await api.ask('POST', '/time?value=1200');
    expect(await linesOf(api)).toMatchObject([{ outcome: 'refused', problem: 'game-unavailable' }]);
  });

  it.each([
    ['silent', 'void', 'command-void'],
    ['claims-and-is-silent', 'unknown', 'outcome-unknown'],
  ] as const)('before a game that is %s is %s', async (mood, outcome, problem) => {
    await using api = await openApi();
    api.farm.mood = mood;
    const asking = api.ask('POST', '/time?value=1200');
    await handedOver(api.farm);
    api.clock.advance(10_000);
    await asking;
    expect(await linesOf(api)).toMatchObject([{ outcome, problem }]);
  });

  it('that is sent again under its key is no second deed', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k-1' };
    const ask = () => api.ask('POST', '/time?value=1200', { headers });
    await Promise.all([ask(), ask()]);
    api.clock.advance(1);
    await ask();
    expect(await linesOf(api)).toHaveLength(1);
  });

  it('under the key of another request is one of its own, of which nothing was done', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k-1' };
    await api.ask('POST', '/time?value=1200', { headers });
    await api.ask('DELETE', '/farmhands?name=Bob', { headers });
    const [refused, ...rest] = await linesOf(api);
    expect(refused).toMatchObject({
      action: 'deleteFarmhand',
      outcome: 'refused',
      problem: 'idempotency-key-reused',
    });
    expect(refused).not.toHaveProperty('operationId');
    expect(rest).toHaveLength(1);
  });

  it('whose outcome becomes known has a second line, by whichever process', async () => {
    using directory = temporaryDirectory();
    const asked = { action: 'setTime', parameters: { value: 1200 }, address: '127.0.0.1', actor: 'open' };
    {
      await using api = await openApi({ directory: directory.path });
      api.farm.mood = 'claims-and-is-silent';
      const asking = api.ask('POST', '/time?value=1200', { headers: { 'idempotency-key': 'k-1' } });
      await handedOver(api.farm);
      api.clock.advance(10_000);
      expect((await asking).statusCode).toBe(504);
    }
    await using api = await openApi({ directory: directory.path });
    const unknown = { ...asked, outcome: 'unknown', problem: 'outcome-unknown' };
    await eventually(api, '', [unknown]);
    const [{ operationId } = {}] = await linesOf(api);
    // The game has told its journal's reader nothing so far but that it is at it.
    const applied = { outcome: 'applied', before: { timeOfDay: 600 }, after: { timeOfDay: 1200 } } as const;
    api.farm.journal.set(String(operationId), applied);
    await vi.waitFor(async () => {
      api.clock.advance(1_000);
      expect(await linesOf(api)).toHaveLength(2);
    });
    await eventually(api, '', [{ ...asked, outcome: 'applied' }, unknown]);
    expect((await linesOf(api))[0]).not.toHaveProperty('problem');
  });

  it('that was under way when the service was killed is unknown, and says that nobody saw its end', async () => {
    using directory = temporaryDirectory();
    const { store } = openedStore(directory.path);
    const at = Date.UTC(2026, 10, 20);
    const body = JSON.stringify({ says: 'farmhand deleted', parameters: { name: 'Bob' } });
    store.audit().begin({ at, sort: 'done', actor: 'owner', action: 'deleteFarmhand', body }, 'late');
    await store.close();
    await using api = await openApi({ directory: directory.path });
    expect(await linesOf(api)).toEqual([
      {
        number: expect.any(Number),
        at: '2026-11-20T00:00:00.000Z',
        actor: 'owner',
        action: 'deleteFarmhand',
        says: 'farmhand deleted',
        parameters: { name: 'Bob' },
        outcome: 'unknown',
        interrupted: true,
      },
    ]);
    await api.ask('POST', '/time?value=700');
    expect(await linesOf(api)).toHaveLength(2);
  });

  it('shows long values cut', async () => {
    await using api = await openApi();
    const ids = Array.from({ length: 200 }, (_, index) => String(76561198000000000n + BigInt(index)));
    await api.ask('POST', `/settings?adminPlatformIds=${ids.join(',')}`);
    const [line] = await linesOf(api);
    expect(line).toMatchObject({
      action: 'changeSettings',
      parameters: { adminPlatformIds: expect.stringMatching(/^.{100,500}…$/) },
    });
  });
});
