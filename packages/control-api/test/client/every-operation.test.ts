import type { AddressInfo } from 'node:net';
import { type Farm, StewardError, steward } from '@steward/client';
import { parseExact, stringifyExact } from '@steward/service-kit/json';
import { eventually } from '@steward/testing/eventually';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { afterAll, describe, expect, it } from 'vitest';
import { openApi, type StageOptions, testKey } from '../api/stage/open-api.ts';
import {
  type DocumentedOperation,
  goodQueries,
  keysForQueries,
  leftBackup,
  operationsOf,
  stageOf,
} from '../api/stage/operations.ts';

type Call = (parameters?: object) => Promise<unknown>;

/** Over the real listener; each answer of the service is looked at as the text that it is, too. The first ones may be lost. */
async function served(options: StageOptions = {}, retries = 0, lost = 0) {
  const api = await openApi({ ...keysForQueries, ...options });
  using _client = await api.listen();
  const { port } = api.app.server.address() as AddressInfo;
  const bodies: string[] = [];
  const farm = steward({
    url: `http://127.0.0.1:${port}`,
    key: testKey,
    retries,
    fetch: async (...request) => {
      const answer = await fetch(...request);
      bodies.push(await answer.clone().text());
      if (bodies.length <= lost) throw new TypeError('the answer is lost');
      return answer;
    },
  });
  const calls = farm as Farm & Readonly<Record<string, Call | undefined>>;
  return { api, farm, calls, bodies, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

/** What is asked for and read whole; a socket or a stream only begins with a request. */
async function documented(): Promise<readonly DocumentedOperation[]> {
  await using api = await openApi();
  const isRead = ({ path, method }: DocumentedOperation) => {
    const { responses } = api.document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
    const types = Object.keys((responses['200'] ?? responses['202'])?.content ?? {});
    return types.some((type) => type !== 'text/event-stream');
  };
  return operationsOf(api.document).filter(isRead);
}

const operations = await documented();

/** For all that only read, and for all whose key is wrong: to begin takes a stage longer than to answer. */
const open = await served();
const locked = await served({ key: 'an0ther' });
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await locked[Symbol.asyncDispose]();
});

async function anOperation(farm: Farm): Promise<{ readonly id: string }> {
  const { operationId: id } = await farm.setRendering({ fps: 3 });
  return { id };
}

it('has a method for every operation of the document, and none beside them', async () => {
  expect(operations.length).toBeGreaterThan(25);
  await using stage = await served();
  const { events: _events, chat: _chat, ...methods } = stage.farm;
  expect(Object.keys(methods).toSorted()).toEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
  );
});

describe.each(operations)('$operationId', ({ operationId, method, path, parameters, isPublic }) => {
  const given = Object.fromEntries(new URLSearchParams(goodQueries[operationId]));

  it('answers what the service says, with ids that keep every digit', async () => {
    await using own = method === 'GET' ? undefined : await served(stageOf(operationId));
    const stage = own ?? open;
    const { id } = path.includes('{id}') ? await anOperation(stage.farm) : { id: '' };
    const inPath = path.includes('{id}') ? { id: operationId === 'getBackupFile' ? leftBackup : id } : {};
    const answer = await stage.calls[operationId]?.({ ...given, ...inPath });
    const body = stage.bodies.at(-1) ?? '';
    if (operationId === 'getMetrics') expect(answer).toBe(body);
    else if (answer instanceof ReadableStream) expect(await new Response(answer).text()).toBe(body);
    // The small ids are bigints, too, which this reader leaves as numbers.
    else expect(parseExact(stringifyExact(answer))).toEqual(parseExact(body));
  });

  it('ends in an error of the service as that', async () => {
    // So many wrong keys are not taken in one minute.
    locked.api.clock.advance(60_000);
    const inPath = Object.fromEntries(
      parameters.filter((one) => one.in === 'path').map(({ name }) => [name, '1']),
    );
    const outcome = await locked.calls[operationId]?.({ ...given, ...inPath }).catch(
      (error: unknown) => error,
    );
    if (isPublic) expect(outcome).not.toBeInstanceOf(StewardError);
    else expect(outcome).toMatchObject({ name: 'StewardError', code: 'unauthorized', status: 401 });
  });
});

/** How a call is made again does not depend on which write it is: so many of them, others with another seed. */
const lostWrites = count({ small: 12, long: Number.POSITIVE_INFINITY });

it('does each write once whose answer is lost, and answers it all the same', async () => {
  const random = seededRandom(seed);
  const writes = operations
    .filter(({ method }) => method !== 'GET')
    .map((write) => ({ write, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, lostWrites)
    .map(({ write }) => write);
  const shown: { operationId: string; heard: readonly unknown[]; bodies: readonly unknown[] }[] = [];
  // One after the other: as many services at once answer nobody in time on a busy machine.
  for (const { operationId } of writes) {
    await using stage = await served(stageOf(operationId), 1, 1);
    const given = Object.fromEntries(new URLSearchParams(goodQueries[operationId]));
    await stage.calls[operationId]?.(given);
    shown.push({
      operationId,
      heard: operationId === 'restoreBackup' ? [] : stage.api.farm.heard,
      bodies: stage.bodies.map((body) => parseExact(body)),
    });
  }
  expect(shown.length).toBeGreaterThan(10);
  for (const { operationId, heard, bodies } of shown) {
    const [first, second] = bodies as readonly Record<string, unknown>[];
    const { secret: _secret, ...told } = first ?? {};
    expect(second, operationId).toMatchObject(told);
    // A drain is several commands to the game, each of them once.
    expect(new Set(heard).size, operationId).toBe(heard.length);
  }
});

it('ids are bigints, on their own and in lists, great and small', async () => {
  await using stage = await served();
  const { farmhands } = await stage.farm.listFarmhands();
  expect(farmhands.map(({ id }) => id)).toEqual([
    620826087702429092n,
    -4611686018427387905n,
    42n,
    9223372036854775807n,
    7n,
  ]);
  const { savedPositionPlayerIds } = await stage.farm.listCabins();
  expect(savedPositionPlayerIds).toEqual([620826087702429092n]);
  const granted = await stage.farm.grantAdmin({ playerId: 9223372036854775807n });
  expect(granted.playerId).toBe(9223372036854775807n);
  const error = await stage.farm.deleteFarmhand({ name: 'kim' }).catch((each: unknown) => each);
  expect(error).toMatchObject({
    code: 'ambiguous-name',
    problem: { matches: [{ id: 42n }, { id: 9223372036854775807n }] },
  });
});

it('what the farm is not ready for is an answer, and a game that is away an error', async () => {
  await using stage = await served({ game: false });
  expect(await stage.farm.getReadiness()).toMatchObject({ ready: false });
  await expect(stage.farm.setTime({ value: 1200 })).rejects.toMatchObject({
    code: 'game-unavailable',
    status: 503,
    retryAfterMs: expect.any(Number),
  });
});

it('an outcome that nobody knows is told once the game has told it, to the same call', async () => {
  await using stage = await served({}, 4);
  const { api, farm, bodies } = stage;
  api.farm.mood = 'claims-and-is-silent';
  const call = farm.setTime({ value: 1300 });
  const missing = () => `the farm has heard ${api.farm.heard}, the client ${bodies}`;
  const claimed = await eventually(async () => api.farm.held[0], { missing });
  api.clock.advance(10_000);
  await eventually(async () => bodies.find((body) => body.includes('outcome-unknown')), { missing });
  claimed();
  expect(await call).toMatchObject({ timeOfDay: 1300, before: { timeOfDay: 930 } });
  expect(api.farm.heard).toEqual(['setTime']);
});
