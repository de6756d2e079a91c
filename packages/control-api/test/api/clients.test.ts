import { eventually } from '@steward/testing/eventually';
import { type ClientOptions, type ClientOutcome, HttpClients } from '@steward/testing/http-clients';
import { startNginxFront } from '@steward/testing/nginx-front';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { afterAll, expect, it } from 'vitest';
import { openApi, testKey } from './stage/open-api.ts';
import { goodQueries, keysForQueries, leftBackup, operationsOf } from './stage/operations.ts';

/** At least so many ways there are of sending nothing with a request; were there none, nothing would be tested. */
const fewestWays = 40;

/** How a client sends does not depend on which write it is, with a proxy between or without: so many of them, others with another seed. */
const writesOfEach = count({ small: 6, long: Number.POSITIVE_INFINITY });

/** Thousands of requests, many by a program of their own. */
const limitMs = 300_000;

const asOwner = { authorization: `Bearer ${testKey}` };

type Front = Pick<ClientOptions, 'caFile'> & AsyncDisposable & { readonly base: string };

const direct = async (port: number): Promise<Front> => ({
  base: `http://127.0.0.1:${port}`,
  [Symbol.asyncDispose]: async () => {},
});

async function nginx(port: number, speaks: 'http' | 'https'): Promise<Front> {
  const front = await startNginxFront(port);
  const trusted = speaks === 'https' ? { caFile: front.caFile } : {};
  return { ...trusted, base: front[speaks], [Symbol.asyncDispose]: () => front[Symbol.asyncDispose]() };
}

/** The API before a farm on which Bob is always there, however often he is deleted, and so is a key, a webhook, and a schedule, under a name that is always free. */
async function openStage() {
  const api = await openApi(keysForQueries);
  const { keys, webhooks } = api;
  const [create, revoke] = [keys.create.bind(keys), keys.revoke.bind(keys)];
  let named = 0;
  const free = () => {
    named += 1;
    return `key ${named}`;
  };
  keys.create = (key, idempotencyKey) => create({ ...key, name: free() }, idempotencyKey);
  keys.revoke = async (_which, idempotencyKey) => {
    const name = free();
    await create({ name, scopes: ['read'] }, undefined);
    return revoke({ name }, idempotencyKey);
  };
  const [make, remove] = [webhooks.create.bind(webhooks), webhooks.remove.bind(webhooks)];
  webhooks.create = async (asked, idempotencyKey) => {
    const name = free();
    const made = await make({ ...asked, name }, idempotencyKey);
    // There may be as many as there are ways, and more.
    await remove({ name }, undefined);
    return made;
  };
  webhooks.remove = async (_which, idempotencyKey) => {
    const name = free();
    await make({ name, topics: ['farm'], url: 'https://hooks.example/1' }, undefined);
    return remove({ name }, idempotencyKey);
  };
  const { schedules } = api;
  const [plan, drop] = [schedules.create.bind(schedules), schedules.remove.bind(schedules)];
  schedules.create = async (asked, caller, idempotencyKey) => {
    const name = free();
    const made = await plan({ ...asked, name }, caller, idempotencyKey);
    await drop({ name }, caller, undefined);
    return made;
  };
  schedules.remove = async (_which, caller, idempotencyKey) => {
    const name = free();
    await plan({ name, action: 'save', cron: '0 5 * * *' }, caller, undefined);
    return drop({ name }, caller, idempotencyKey);
  };
  const { farmhands } = api.farm.state;
  Object.defineProperty(api.farm.state, 'farmhands', { get: () => farmhands, set: () => {} });
  return api;
}

/** Of backups one is made or deleted at a time, and no other write may change meanwhile what it copies: here each waits for its turn. */
function inTurn(backups: Awaited<ReturnType<typeof openApi>>['backups']): void {
  const [create, remove] = [backups.create.bind(backups), backups.remove.bind(backups)];
  let turn: Promise<unknown> = Promise.resolve();
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  backups.create = (asked, idempotencyKey) => next(() => create(asked, idempotencyKey));
  backups.remove = (_id, idempotencyKey) =>
    next(async () => {
      // Those who asked for one have made many; one is for those who restore it.
      const toDelete = async () => (await backups.list()).backups.find(({ id }) => id !== leftBackup);
      if ((await toDelete()) === undefined) await create({ why: 'asked', keep: true }, undefined);
      return remove((await toDelete())?.id ?? '', idempotencyKey);
    });
}

/** What another client may have done just before: then a write is taken, and refused for that alone. */
const takenAllTheSame: Readonly<Record<string, RegExp>> = {
  kickPlayer: /^player-offline$/,
  removeBan: /^ban-not-found$/,
  disallowPlayer: /^ban-not-found$/,
  runSchedule: /^schedule-running$/,
  createFarm: /^drain-under-way$/,
  loadFarm: /^drain-under-way$/,
  startDrain: /^drain-under-way$/,
  cancelDrain: /^drain-not-found$/,
  // Under a game that somebody else has started none is restored.
  restoreBackup: /^(game-running|backup-under-way)$/,
};

/** Of those that another one of their own group is in the way of; the last takes the game away. */
const groups: readonly (readonly string[])[] = [
  ['createBackup', 'deleteBackup'],
  ['restoreBackup'],
  ['createFarm'],
  ['loadFarm'],
  ['startDrain', 'cancelDrain'],
];

/** For the two fronts whom they need not be told to trust: to load takes the programs longer than to send. */
const trustingNobodyElse = new HttpClients(asOwner);
afterAll(() => trustingNobodyElse[Symbol.asyncDispose]());

it.each([
  ['directly', direct],
  ['through nginx', (port: number) => nginx(port, 'http')],
  ['through nginx over HTTP/2 and TLS', (port: number) => nginx(port, 'https')],
] as const)(
  'every write is taken from every HTTP client as it is by default, %s',
  { timeout: limitMs },
  async (how, open) => {
    await using api = await openStage();
    const { port } = await api.listen();
    await using front = await open(port);
    await using own = front.caFile === undefined ? undefined : new HttpClients({ ...asOwner, ...front });
    const clients = own ?? trustingNobodyElse;
    const all = operationsOf(api.document).filter(({ method }) => method !== 'GET');
    const writes = anyOf(all, how).map(({ method, path, operationId }) => ({
      method,
      operationId,
      url: `${front.base}${path}${goodQueries[operationId] ?? ''}`,
    }));
    expect(writes.length).toBeGreaterThan(5);

    inTurn(api.backups);
    const apart = groups.flat();
    const others = writes.map(({ operationId }) => operationId).filter((id) => !apart.includes(id));
    const outcomes: ClientOutcome[] = [];
    for (const group of [others, ...groups]) {
      const ofGroup = writes.filter(({ operationId }) => group.includes(operationId));
      if (ofGroup.length === 0) continue;
      outcomes.push(...(await clients.send(ofGroup)));
      // The last change of farms may go on: it would be in the way of what comes.
      await api.ask('DELETE', '/drain');
      await eventually(async () => !('draining' in (await api.ask('GET', '/drain')).exact) || undefined, {
        missing: () => 'players are still being seen off',
      });
    }
    for (const { url, method, operationId } of writes) {
      const ofIt = outcomes.filter((one) => one.url === url && one.method === method);
      expect(ofIt.length).toBeGreaterThan(fewestWays);
      const refused = ofIt.filter(({ status }) => status !== 200 && status !== 202);
      if (operationId !== 'restoreBackup') expect(refused.length, operationId).toBeLessThan(ofIt.length);
      const allowed = takenAllTheSame[operationId];
      const strange = refused.filter(({ body }) => allowed?.test(codeOf(body)) !== true);
      expect(strange, operationId).toEqual([]);
    }

    const heard = api.farm.heard.length;
    const withBodies = writes.map((write) => ({ ...write, body: { value: 700 } }));
    for (const { way, status, body } of await clients.send(withBodies)) {
      expect([way, status]).toEqual([way, 400]);
      expect(JSON.parse(body)).toMatchObject({
        code: 'unexpected-body',
        detail: expect.stringContaining('query'),
      });
    }
    expect(api.farm.heard.length).toBe(heard);
  },
);

/** So many writes, other ones for each stage, and with each those that make way for it: nothing is called off that nobody has begun. */
function anyOf(all: ReturnType<typeof operationsOf>, how: string) {
  const random = seededRandom(seed + how.length);
  const chosen = all
    .map(({ operationId }) => ({ operationId, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, writesOfEach)
    .map(({ operationId }) => operationId);
  const withTheirs = new Set([
    ...chosen,
    ...groups.filter((ids) => ids.some((id) => chosen.includes(id))).flat(),
  ]);
  return all.filter(({ operationId }) => withTheirs.has(operationId));
}

function codeOf(body: string): string {
  return (JSON.parse(body) as { code: string }).code;
}
