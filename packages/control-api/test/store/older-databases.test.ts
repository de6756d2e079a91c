import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { databaseName } from '../../src/store/store.ts';
import { migrations } from '../../src/store/tables/schema.ts';
import { openApi, testKey } from '../api/stage/open-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

interface Version {
  /** As it wrote them. */
  readonly rows: string;
  /** What the API says of them today. */
  readonly isTold: (api: Api) => Promise<void>;
}

/** What opens the key; its hash is in the rows. */
const secret = `stw_${'k'.repeat(43)}`;

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

/** Each version, from the first on. Add the next one, and never change one that is there: somebody still has such a database. */
const versions: readonly Version[] = [
  {
    rows: `
      insert into events values
        (42, 1795215600000, 'chat', '{"type":"chat.said","data":{"playerId":"42","playerName":"Ann","message":"good night"}}'),
        (43, 1795215601000, 'players', '{"type":"players.left","data":{"playerId":"42","playerName":"Ann","door":"network-p2p","connectionId":"GN_46265193014"}}');
      insert into event_gaps values (39, 41);
      insert into event_log values (1, 'k3f9x', 43, 43, 12);
      insert into operations values (1, '16394852047116039211', 1795215600000, 1, 1, '{"id":"16394852047116039211","command":"setTime","state":"applied","createdAt":"2026-11-20T23:00:00.000Z","changedAt":"2026-11-20T23:00:00.000Z","fingerprint":"359b4c17ada1e68c934c5c8350bb8438","keyDigest":"d0b7e7eea9ee04a94ae7307e5c7a59b6","outcome":{"outcome":"applied","before":{"timeOfDay":900},"after":{"timeOfDay":1200}}}');
      insert into samples values (29920314, 3, 5990, 1010, 21, 91, 513);
      insert into sample_hours values (498671, 60, 120, 3, 60, 359400, 1010, 21, 91, 513);
      insert into facts values ('keys-lost', '2026-11-20T20:00:00.000Z');
    `,
    async isTold(api) {
      const page = {
        events: [
          { type: 'chat.said', cursor: 'k3f9x-42', data: { playerName: 'Ann', message: 'good night' } },
          { type: 'players.left', cursor: 'k3f9x-43', at: '2026-11-20T23:00:01.000Z' },
        ],
        cursor: 'k3f9x-43',
      };
      expect(await told(api, '/events?limit=2&after=k3f9x-41')).toMatchObject({ ...page, gap: false });
      expect(await told(api, '/events?limit=2&after=k3f9x-40')).toMatchObject({ ...page, gap: true });
      const retried = await api.ask('POST', '/time?value=1200', keyed('sent-before'));
      expect(retried.exact).toMatchObject({
        operationId: '16394852047116039211',
        before: { timeOfDay: 900 },
        after: { timeOfDay: 1_200 },
      });
      // A database that was there before this one may have known it.
      const unknown = await api.ask('POST', '/time?value=1200', keyed('never-sent'));
      expect(unknown.exact).toMatchObject({ status: 503, code: 'state-unreadable' });
      const minute = 'from=2026-11-20T23:54:00Z&to=2026-11-20T23:55:00Z&step=minute';
      expect(await told(api, `/samples?${minute}`)).toMatchObject({ players: [3], bridgeLatencyMs: [21] });
      const hour = 'from=2026-11-20T23:00:00Z&to=2026-11-21T00:00:00Z&step=hour';
      expect(await told(api, `/samples?${hour}`)).toMatchObject({ players: [2], ticksPerSecond: [59.9] });
    },
  },
  {
    // The name of a key that has ended is free for another.
    rows: `
      insert into keys values
        ('key_5b1f0c9a7d24', 'bot', 'read,chat', 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg', 1795089600000, null, null, null, 1795093200000, 1795147200000, 'revoked'),
        ('key_5b1f0c9a7d25', 'bot', 'read', '3YmR4vMmeb0LrAww30YqFb38AqPKjq5e1J_n6G03O08', 1795147200000, null, null, null, null, null, null);
    `,
    async isTold(api) {
      expect((await api.ask('GET', '/whoami', { key: secret })).exact).toEqual({
        name: 'bot',
        keyId: 'key_5b1f0c9a7d25',
        scopes: ['read'],
      });
      expect(await told(api, '/keys?ended=true')).toMatchObject({
        keys: [
          { name: 'bot', scopes: ['read'], state: 'active' },
          { name: 'bot', scopes: ['read', 'chat'], state: 'revoked', endedAt: '2026-11-20T04:00:00.000Z' },
        ],
      });
    },
  },
  {
    rows: `
      insert into audit values (1, 1795147200000, 'done', 'owner', 'createKey', 'applied', '16394852047116039212', '{"address":"203.0.113.7","door":"http","says":"key made","parameters":{"name":"bot","scopes":["read"]}}');
      insert into audit_begun values (2, 1795215600000, 'done', 'bot', 'saveGame', '{"keyId":"key_5b1f0c9a7d25","door":"http","says":"farm saved"}');
    `,
    async isTold(api) {
      expect(await told(api, '/audit?action=createKey')).toMatchObject({
        lines: [{ number: 1, actor: 'owner', outcome: 'applied', parameters: { name: 'bot' } }],
      });
      expect(await told(api, '/audit?outcome=unknown')).toMatchObject({
        lines: [{ actor: 'bot', action: 'saveGame', interrupted: true }],
      });
    },
  },
  {
    rows: `
      insert into webhooks values ('hook_5b1f0c9a7d24', 'phone', 'standard', 'https://hooks.example/5e0c', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'players,farm', 0, 1795147200000, 'k3f9x', 42, null, 'active', 1795147200000, 1795215600000, null, 0, 0, null, 0);
      insert into webhook_deliveries values (1, 'hook_5b1f0c9a7d24', 'evt_k3f9x-41', 'players.joined', 1795215600000, 'givenUp', 3, 404, 'it answered 404');
    `,
    async isTold(api) {
      expect(await told(api, '/webhooks')).toMatchObject({
        webhooks: [
          { name: 'phone', topics: ['players', 'farm'], urlEndsWith: '5e0c', state: 'active', lag: 1 },
        ],
      });
      expect(await told(api, '/webhooks/deliveries')).toMatchObject({
        deliveries: [{ webhookName: 'phone', messageId: 'evt_k3f9x-41', outcome: 'givenUp', status: 404 }],
      });
    },
  },
  {
    rows: `
      insert into schedules values
        ('schedule_5b1f0c9a7d24', 'nightly', 'rendering', '{"fps":5}', '0 5 * * *', 'Europe/Berlin', 'once', null, 'owner', null, 1795089600000, 1795147200000, null, '{"at":1795147200000,"dueAt":1795147200000,"endedAt":1795147200040,"outcome":"applied","operationId":"900"}'),
        ('schedule_5b1f0c9a7d25', 'asleep', 'rendering', '{"fps":1}', null, null, null, 30, 'bot', 'key_5b1f0c9a7d25', 1795147200000, 0, null, null);
    `,
    async isTold(api) {
      expect(await told(api, '/schedules')).toMatchObject({
        schedules: [
          {
            name: 'nightly',
            parameters: { fps: 5 },
            nextRun: '2026-11-21T04:00:00.000Z',
            lastRun: { dueAt: '2026-11-20T04:00:00.000Z', outcome: 'applied', operationId: '900' },
          },
          { name: 'asleep', parameters: { fps: 1 }, emptyMinutes: 30, madeBy: 'bot', state: 'active' },
        ],
      });
    },
  },
];

it('every version of the database is here, with rows in each table that there is', () => {
  expect(versions).toHaveLength(migrations.length);
  using database = new DatabaseSync(':memory:');
  fill(database, migrations.length);
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const isEmpty = (table: string) => database.prepare(`select 1 from ${table}`).get() === undefined;
  expect(tables).toContain('schedules');
  expect(tables.filter(isEmpty)).toEqual([]);
});

it.each(migrations.map((_, index) => index + 1))(
  'a database of version %i is brought up to the current one, and the API tells all that it holds',
  async (version) => {
    using directory = temporaryDirectory();
    const database = new DatabaseSync(join(directory.path, databaseName));
    fill(database, version);
    database.close();
    // Without it the database would be taken for another one.
    writeFileSync(join(directory.path, 'steward.cursor'), 'k3f9x-43\n');
    await using api = await openApi({ directory: directory.path, key: testKey, game: false });
    for (const { isTold } of versions.slice(0, version)) await isTold(api);
  },
);

/** As a server of that version leaves it that was there from the first one on. */
function fill(database: DatabaseSync, version: number): void {
  for (const [index, { rows }] of versions.slice(0, version).entries())
    database.exec(`${migrations[index]}; ${rows}`);
  database.exec(`pragma user_version=${version}`);
}

async function told(api: Api, path: string): Promise<object> {
  return (await api.ask('GET', path)).exact;
}
