import { PassThrough } from 'node:stream';
import { type Endpoint, isWrite, methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { expect, it } from 'vitest';
import { handedOver } from './stage/handed-over.ts';
import { openApi } from './stage/open-api.ts';
import { goesOn, goodQueries, stageOf } from './stage/operations.ts';

const writes = Object.entries<Endpoint>(endpoints).flatMap(([id, endpoint]) =>
  isWrite(endpoint) ? [{ id, endpoint, ...methodAndPath(endpoint) }] : [],
);

it('no two writes are told by the same words', () => {
  const phrases = writes.map(({ endpoint }) => endpoint.audit);
  expect(new Set(phrases).size).toBe(phrases.length);
});

it.each(writes)(
  '$method $path that is done is one line of the log, and none when it is asked again under its key',
  async ({ id, endpoint, method, path }) => {
    const log = new PassThrough();
    await using api = await openApi({ log, ...stageOf(id) });
    const url = `${path}${goodQueries[id] ?? ''}`;
    const headers = { 'x-request-id': 'r-1', 'idempotency-key': 'k' };
    const { exact } = await api.ask(method, url, { headers });
    const { operationId } = exact;
    expect(operationId).toMatch(/^\d+$/);
    const says = goesOn(id) ? `${endpoint.audit}: in progress` : endpoint.audit;
    const told = linesOf(log);
    const parameters = [...new URLSearchParams(goodQueries[id]).keys()];
    expect(told.filter(({ msg }) => msg === says)).toEqual([
      expect.objectContaining({ requestId: 'r-1', operationId, parameters }),
    ]);
    expect(told.filter((line) => line.operationId === operationId)).toHaveLength(1);
    api.clock.advance(1);
    const { exact: again } = await api.ask(method, url, { headers });
    expect(again['operationId']).toBe(operationId);
    expect(linesOf(log).filter((line) => line.operationId !== undefined)).toEqual([]);
  },
);

it('what was refused, or only tried out, is none', async () => {
  const log = new PassThrough();
  await using api = await openApi({ log });
  await api.ask('POST', '/time?value=1');
  await api.ask('DELETE', '/farmhands?name=Ann');
  await api.ask('DELETE', '/farmhands?name=Bob&dryRun=true');
  api.farm.mood = { refuses: 'failed', message: 'it failed' };
  await api.ask('POST', '/time?value=1200');
  const phrases = writes.map(({ endpoint }) => endpoint.audit);
  expect(linesOf(log).filter(({ msg }) => phrases.includes(msg))).toEqual([]);
});

it('what may have been done is one that says so', async () => {
  const log = new PassThrough();
  await using api = await openApi({ log });
  api.farm.mood = 'claims-and-is-silent';
  const asking = api.ask('POST', '/time?value=1200');
  await handedOver(api.farm);
  api.clock.advance(10_000);
  expect((await asking).statusCode).toBe(504);
  const lines = linesOf(log).filter(({ msg }) => msg.startsWith(endpoints.setTime.audit));
  expect(lines).toEqual([
    expect.objectContaining({
      operationId: '1001',
      msg: 'time of day set, or maybe not: its outcome is unknown',
    }),
  ]);
});

it('of a line of the chat it says that there was one, and not which', async () => {
  const log = new PassThrough();
  await using api = await openApi({ log });
  await api.ask('POST', '/chat?author=Robin&message=the-password-is-swordfish');
  expect(String(log.read())).not.toContain('swordfish');
});

function linesOf(log: PassThrough): { readonly msg: string; readonly operationId?: string }[] {
  const text = String(log.read() ?? '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { msg: string; operationId?: string });
}
