import { anyText } from '@steward/testing/hostile/text';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openApi, testKey } from './stage/open-api.ts';
import {
  type DocumentedOperation,
  goodQueries,
  keysForQueries,
  operationsOf,
  takesInteger,
} from './stage/operations.ts';

const requests = count({ small: 1_000, long: 100_000 });
// A service each, of three operations.
const aways = count({ small: 20, long: 5_000 });

/** A request that gets no answer at all is a failure with a name, too. */
const answerMs = 20_000;

/** The farm's time between two requests: over a long run minutes, days and whatever is remembered go by. */
const mostBetweenMs = 2_000;

/** Statuses of the 500s that say something of the game and not of a mistake here: /health/ready while nobody can join. */
const saysNotReady = 503;

const odd = fc.oneof(
  anyText({ maxLength: 30 }),
  fc.constantFrom(
    '',
    '+5',
    '1e3',
    '0x10',
    ' 5',
    '٧',
    '-0',
    '00',
    'NaN',
    'null',
    'true',
    '__proto__',
    '%',
    '%zz',
    '\u0000',
  ),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
);

function fitting({ schema }: DocumentedOperation['parameters'][number]): fc.Arbitrary<string> {
  const { type, minimum = -1_000, maximum = 1_000 } = schema;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (takesInteger(schema))
    return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) }).map(String);
  return fc.oneof(fc.constantFrom('Ann', 'Bob', 'kim', 'Nobody'), fc.string({ minLength: 1, maxLength: 40 }));
}

/** A request to the operation: mostly what its parameters take, often enough not. */
function requestTo(operation: DocumentedOperation) {
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
  const pair = fc.oneof(
    { weight: 4, arbitrary: queries.length === 0 ? fc.constant(['x', '1'] as const) : pairOf(queries) },
    { weight: 1, arbitrary: fc.tuple(odd, odd) },
  );
  const headers = fc.dictionary(
    fc.constantFrom('idempotency-key', 'if-none-match', 'x-request-id', 'x-forwarded-for', 'accept', 'range'),
    fc.oneof(
      fc.constantFrom('', '*', '"x"', 'k-1', 'k-2', 'a b'),
      fc.string({ maxLength: 20 }).map(headerValue),
    ),
    { maxKeys: 2 },
  );
  return fc.record({
    operation: fc.constant(operation),
    pairs: fc.array(pair, { maxLength: 3 }),
    id: fc.oneof(odd, fc.constant('1001')),
    headers,
    key: fc.oneof(
      { weight: 9, arbitrary: fc.constant(testKey) },
      { weight: 1, arbitrary: fc.constantFrom(null, 'wrong') },
    ),
    body: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.string() }),
    head: fc.boolean(),
    raw: fc.boolean(),
    // Half the requests go through the real parser.
    overSocket: fc.boolean(),
    later: fc.nat({ max: mostBetweenMs }),
  });
}

type FuzzedRequest = ReturnType<typeof requestTo> extends fc.Arbitrary<infer Request> ? Request : never;

function pairOf(queries: DocumentedOperation['parameters']): fc.Arbitrary<readonly [string, string]> {
  const each = queries.map((parameter) =>
    fc.tuple(
      fc.constant(parameter.name),
      fc.oneof({ weight: 3, arbitrary: fitting(parameter) }, { weight: 1, arbitrary: odd }),
    ),
  );
  return fc.oneof(...each);
}

/** What takes the game away, or the farm that it plays: each time it is asked for in vain or not, of a farm of its own. */
const takesGameAway = ['startDrain', 'createFarm', 'loadFarm'];

it('no request gets a 5xx or a status that is not documented', { timeout: 3_600_000 }, async () => {
  await using api = await openApi({ key: testKey });
  using client = await api.listen();
  const operations = operationsOf(api.document).filter(
    ({ operationId }) => !takesGameAway.includes(operationId),
  );
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(...operations.map(requestTo)), async (request) => {
      const { operation, headers, key, body, overSocket, later } = request;
      api.clock.advance(later);
      api.farm.tick();
      const answer = await api.ask(...askedBy(request), {
        key,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(overSocket ? { client } : {}),
      });
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      if (answer.statusCode !== saysNotReady || operation.path !== '/health/ready')
        expect(answer.statusCode).toBeLessThan(500);
    }),
    { numRuns: requests, timeout: answerMs },
  );
  // It would mean little if nearly all were refused at the door.
  for (const status of [200, 400, 401, 404]) expect(statuses.get(status)).toBeGreaterThan(requests / 200);
});

it('none that takes the game away does, either', { timeout: 3_600_000 }, async () => {
  await using known = await openApi();
  const operations = operationsOf(known.document).filter(({ operationId }) =>
    takesGameAway.includes(operationId),
  );
  expect(operations).toHaveLength(takesGameAway.length);
  let begun = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(...operations.map(requestTo)), async (request) => {
      const { operation, headers, key, body } = request;
      await using api = await openApi(keysForQueries);
      const [method, url] = askedBy(request);
      const good = goodQueries[operation.operationId]?.replace('?', url.includes('?') ? '&' : '?') ?? '';
      const answer = await api.ask(method, `${url}${good}`, {
        key,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      if (answer.statusCode === 202) begun += 1;
      expect(answer.statusCode).toBeLessThan(500);
    }),
    { numRuns: aways, timeout: answerMs },
  );
  expect(begun).toBeGreaterThan(aways / 20);
});

/** Written raw, percent signs stand as they are; otherwise every character is encoded. */
function askedBy({
  operation,
  pairs,
  id,
  head,
  raw,
}: FuzzedRequest): [DocumentedOperation['method'] | 'HEAD', string] {
  const write = raw ? urlSafe : encode;
  const query = pairs.map(([name, value]) => `${write(name)}=${write(value)}`).join('&');
  const path = operation.path.replace('{id}', encode(id) || '0');
  const method = head && operation.method === 'GET' ? 'HEAD' : operation.method;
  return [method, query === '' ? path : `${path}?${query}`];
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function urlSafe(text: string): string {
  return text.replace(/[^\x21-\x22\x24-\x7e]/g, '');
}

function headerValue(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').trim();
}
