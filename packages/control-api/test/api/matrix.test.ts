import { count } from '@steward/testing/scale';
import { afterAll, describe, expect, it } from 'vitest';
import { type Ask, openApi, testKey } from './stage/open-api.ts';
import {
  type DocumentedOperation,
  goodQueries,
  keysForQueries,
  operationsOf,
  pathOf,
  stageOf,
  takesInteger,
} from './stage/operations.ts';

/** What each answers when all is well; 200 where nothing stands here. */
const successes: Readonly<Record<string, number>> = {
  openWebSocket: 426,
  getOperation: 404,
  startDrain: 202,
  createFarm: 202,
  loadFarm: 202,
};

/** Where everybody may do everything, nobody needs another key. */
const withoutKey: Readonly<Record<string, number>> = { createKey: 409, rotateKey: 409 };

/** What is said, and why somebody is kept out, is any text of which something can be seen, and cut where it is long; who says it may be nobody. */
const ofTheChat: Readonly<Record<string, readonly string[]>> = {
  message: ['', '%00', '%E2%80%8B'],
  author: ['%E2%80%8B'],
  reason: ['', '%00', '%E2%80%8B'],
  // Whatever is no number may be a farm of a mod.
  farmType: ['', '-1', 'x'.repeat(300)],
};

/** Values that are wrong for any parameter of this kind. */
function badValues({ name, schema }: DocumentedOperation['parameters'][number]): readonly string[] {
  const bad = ofTheChat[name];
  if (bad !== undefined) return bad;
  if (takesInteger(schema))
    return [
      '',
      '%2B5',
      '1e3',
      '0x10',
      '%20700',
      '%D9%A7',
      '1.0',
      '99999999999999999999',
      '-99999999999999999999',
    ];
  if (schema.type === 'boolean') return ['', '1', 'yes', 'TRUE'];
  if (schema.enum !== undefined) return ['', 'other'];
  return [...(schema.minLength === 0 ? [] : ['']), '%00', 'x'.repeat(300)];
}

/** What else is needed for the one parameter to be all that is wrong. */
function otherRequired(
  operationId: string,
  parameters: DocumentedOperation['parameters'],
  name: string,
): string {
  const good = new URLSearchParams(goodQueries[operationId]);
  const others = parameters.filter((other) => other.required && other.in === 'query' && other.name !== name);
  return others.map((other) => `${other.name}=${good.get(other.name)}&`).join('');
}

/** For all that only read, or are to be refused: to begin takes a stage longer than to answer. */
const open = await openApi({ ...keysForQueries, key: undefined });
const locked = await openApi(keysForQueries);
afterAll(async () => {
  await open.stop();
  await locked.stop();
});

const operations = operationsOf(open.document);

const keys: readonly { what: string; server: string | undefined; given: string | null; let: boolean }[] = [
  { what: 'no key set', server: undefined, given: null, let: true },
  { what: 'the right key', server: testKey, given: testKey, let: true },
  { what: 'no key', server: testKey, given: null, let: false },
  { what: 'a wrong key', server: testKey, given: 'wrong', let: false },
];

/**
 * Whoever is let through to a write needs a stage of their own: at the small scale by turns the one or the other of them, but where
 * they are answered otherwise.
 */
function keysFor(operation: DocumentedOperation): typeof keys {
  if (operation.method === 'GET' || operation.operationId in withoutKey) return keys;
  const [through, refused] = [keys.filter((key) => key.let), keys.filter((key) => !key.let)];
  const only = operations.indexOf(operation) % through.length;
  const [from, to] = [count({ small: only, long: 0 }), count({ small: only + 1, long: through.length })];
  return [...through.slice(from, to), ...refused];
}

it('covers every operation, and each has a name of its own', () => {
  expect(operations.length).toBeGreaterThanOrEqual(18);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

describe.each(operations)('$method $path', (operation) => {
  const path = pathOf(operation);
  const url = `${path}${goodQueries[operation.operationId] ?? ''}`;

  it.each(keysFor(operation))('with $what', async ({ server, given, let: letThrough }) => {
    const isAllowed = letThrough || operation.isPublic;
    const refuses = operation.method !== 'GET';
    // What is done would be there for whoever comes next.
    await using own =
      isAllowed && refuses ? await openApi({ ...stageOf(operation.operationId), key: server }) : undefined;
    const api = own ?? (server === undefined ? open : locked);
    const success = (server === undefined ? withoutKey : successes)[operation.operationId];
    const expected = isAllowed ? (success ?? successes[operation.operationId] ?? 200) : 401;
    // From one address come few wrong keys a minute.
    const ask: Ask = { key: given, remoteAddress: `192.0.2.${operations.indexOf(operation)}` };
    expect((await api.ask(operation.method, url, ask)).statusCode).toBe(expected);
    const body = await api.ask(operation.method, url, { ...ask, body: 'x=1' });
    expect(body.statusCode).toBe(isAllowed ? 400 : 401);
    // The key is asked for before anything else is looked at.
    const invalid = await api.ask(operation.method, `${path}?%zz=%zz&name=`, ask);
    expect(invalid.statusCode).toBe(!isAllowed ? 401 : refuses ? 400 : expected);
    if (own === undefined) expect(api.farm.heard).toEqual([]);
  });

  it('is refused to a page of another site where no key is asked for', async () => {
    const { method } = operation;
    for (const headers of [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      { host: 'rebound.example', origin: 'http://rebound.example', 'sec-fetch-site': 'same-origin' },
    ]) {
      const answer = await open.ask(method, url, { headers });
      expect(answer.exact, JSON.stringify(headers)).toMatchObject({
        status: 403,
        code: 'cross-site-request',
      });
    }
    expect(open.farm.heard).toEqual([]);
  });

  it('takes no other method than the document says', async () => {
    const has = operations.filter((other) => other.path === operation.path).map(({ method }) => method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      if (has.some((one) => one === method)) continue;
      const answer = await open.ask(method, url);
      expect(answer.statusCode).toBe(405);
      expect(answer.headers.allow).toContain(operation.method);
    }
  });
});

const cases = operations.flatMap((operation) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ ...operation, name: parameter.name, values: badValues(parameter) })),
);

it.each(cases)(
  '$method $path names $name when its value is invalid, and does nothing',
  async ({ method, path, name, values, parameters, operationId }) => {
    const beside = otherRequired(operationId, parameters, name);
    for (const value of values) {
      const answer = await open.ask(method, `${path}?${beside}${name}=${value}`);
      expect(answer.exact, `${name}=${value}`).toMatchObject({ status: 400, code: 'invalid-parameter' });
      expect(answer.exact['detail']).toMatch(new RegExp(`^${name} `));
    }
    expect(open.farm.heard).toEqual([]);
  },
);
