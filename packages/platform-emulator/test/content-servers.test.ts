import { expect, test } from 'vitest';
import type { ContentSource } from '../src/cdn/answer-content.ts';
import { Cdn } from '../src/cdn/cdn.ts';
import { makeDepot } from '../src/depot/make-depot.ts';
import { FaultPlan } from '../src/faults/fault-plan.ts';
import { RequestRecord } from '../src/record/request-record.ts';

const depot = makeDepot({ depotId: 11, name: 'served', format: 'zip' }, [
  { kind: 'file', name: 'a.txt', content: Buffer.alloc(5000, 'served content ') },
]);
const [chunkId = ''] = depot.chunkIds;
const chunkPath = `/depot/11/chunk/${chunkId}`;
const source: ContentSource = {
  depots: () => [{ appId: 1, depot }],
  acceptsRequestCode: (_depotId, _manifestId, code) => code === '42',
  acceptsToken: (depotId, host, query) => query === `exp=1~hmac=${depotId}` && host.startsWith('127.0.0.1:'),
};

async function start() {
  const faults = new FaultPlan(Date.now);
  const record = new RequestRecord(Date.now);
  const plans = [
    { name: 'good' },
    { name: 'other app', allowedAppIds: [2] },
    { name: 'without depot', refusedDepotIds: [11] },
    { name: 'token', demandsToken: true },
    { name: 'dead', dead: true },
  ];
  const cdn = await Cdn.start(plans, { source, faults, record });
  const get = (host: string, path: string, init?: RequestInit) =>
    fetch(`http://${cdn.host(host).address}${path}`, init);
  return { cdn, faults, record, get };
}

async function bytes(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

test('serves chunks and manifests, and counts the bytes in the record', async () => {
  const { cdn, record, get } = await start();
  await using _ = cdn;
  expect(await bytes(await get('good', chunkPath))).toEqual(depot.chunk(chunkId));
  const manifest = await get('good', `/depot/11/manifest/${depot.manifestId}/5/42`);
  expect(await bytes(manifest)).toEqual(depot.rawManifest);
  expect(record.bytes({ kind: 'chunk' })).toBe(depot.chunk(chunkId)?.length);
  expect(record.matching({ kind: 'manifest' })).toMatchObject([
    { outcome: 200, host: cdn.host('good').address },
  ]);
});

test.each([
  ['a manifest without a request code', 'good', `/depot/11/manifest/${depot.manifestId}/5`, 401],
  ['a manifest with a wrong request code', 'good', `/depot/11/manifest/${depot.manifestId}/5/41`, 401],
  ['a manifest that is not there', 'good', '/depot/11/manifest/1/5/42', 404],
  ['a chunk that is not there', 'good', `/depot/11/chunk/${'0'.repeat(40)}`, 404],
  ['a depot that is not there', 'good', `/depot/12/chunk/${chunkId}`, 404],
  ['any other path', 'good', '/', 404],
  ['a depot of an app that the host does not serve', 'other app', chunkPath, 403],
  ['a depot that the host refuses', 'without depot', chunkPath, 403],
  ['a chunk without a token where one is demanded', 'token', chunkPath, 403],
  ['a chunk with a wrong token', 'token', `${chunkPath}?exp=1~hmac=12`, 403],
  ['a chunk with a token', 'token', `${chunkPath}?exp=1~hmac=11`, 200],
])('answers %s from host "%s"', async (_what, host, path, status) => {
  const { cdn, get } = await start();
  await using _ = cdn;
  const response = await get(host, path);
  expect(response.status).toBe(status);
  await response.arrayBuffer();
});

test('refuses what is not a GET', async () => {
  const { cdn, get } = await start();
  await using _ = cdn;
  expect((await get('good', chunkPath, { method: 'POST' })).status).toBe(405);
});

test('a dead host refuses connections, and so does one that was stopped', async () => {
  const { cdn, get } = await start();
  await using _ = cdn;
  await expect(get('dead', chunkPath)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  await cdn.host('good')[Symbol.asyncDispose]();
  await expect(get('good', chunkPath)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('names its hosts when asked for one that it does not have', async () => {
  const { cdn } = await start();
  await using _ = cdn;
  expect(() => cdn.host('nobody')).toThrow('no content server is called "nobody"; there are good, other app');
});

test.each([401, 403, 404, 429, 500, 503])('a scripted %i comes once, and then the chunk', async (status) => {
  const { cdn, faults, get } = await start();
  await using _ = cdn;
  faults.add({ when: { kind: 'chunk' }, nth: 1, fault: { status } });
  expect((await get('good', chunkPath)).status).toBe(status);
  expect((await get('good', chunkPath)).status).toBe(200);
});

test('damage changes the bytes, in length or in content', async () => {
  const { cdn, faults, get } = await start();
  await using _ = cdn;
  const whole = depot.chunk(chunkId) ?? Buffer.alloc(0);
  for (const damage of ['truncated', 'corrupt', 'wrong-bytes'] as const) {
    const undo = faults.add({ when: { path: chunkPath }, fault: { damage } });
    const received = await bytes(await get('good', chunkPath));
    undo();
    expect(received.length).toBe(damage === 'truncated' ? whole.length >> 1 : whole.length);
    expect(received.equals(whole.subarray(0, received.length))).toBe(damage === 'truncated');
  }
});

test('a reset cuts the connection after the bytes that the plan names', async () => {
  const { cdn, faults, record, get } = await start();
  await using _ = cdn;
  faults.add({ when: { kind: 'chunk' }, fault: { resetAtByte: 10 } });
  await expect(get('good', chunkPath).then(bytes)).rejects.toThrow();
  expect(record.bytes()).toBe(10);
});

test('a half-open answer stops and the connection stays until the client leaves', async () => {
  const { cdn, faults, get } = await start();
  await using _ = cdn;
  faults.add({ when: { kind: 'chunk' }, fault: { stallAtByte: 10 } });
  const leave = new AbortController();
  const response = await get('good', chunkPath, { signal: leave.signal });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(first?.value?.length).toBe(10);
  leave.abort();
  await expect(reader?.read()).rejects.toThrow();
});
