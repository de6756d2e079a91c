import { expect, it } from 'vitest';
import type { Asked, Ending } from '../../src/game/operations/operation.ts';
import { MemoryStore } from './stage/memory-store.ts';
import { buildBridge, MemoryMode, openStage, settled } from './stage/stage.ts';

const asked: Asked = { name: 'releaseFarmhand', request: { target: 'Ann' }, idempotencyKey: 'k' };
const facts = { owned: false, released: true };
const done: Ending = {
  state: 'applied',
  outcome: { outcome: 'applied', before: { owned: false, released: false }, after: facts },
};

async function open() {
  const store = new MemoryStore();
  const disk = Promise.withResolvers<void>();
  const { bridge, clock } = await openStage({ store });
  return { store, disk, bridge, clock, operations: bridge.operations };
}

/** What has come of it by now, where anything has. */
async function soon<T>(asked: Promise<T>): Promise<T | 'nothing yet'> {
  await settled();
  return Promise.race([asked, Promise.resolve('nothing yet' as const)]);
}

it('answers neither whoever asked nor a retry before what was done is kept under its key', async () => {
  const { store, disk, operations } = await open();
  store.slow = disk.promise;
  const answers = [operations.carryOut(asked, async () => done)];
  await settled();
  answers.push(operations.carryOut(asked, async () => done));
  for (const answer of answers) expect(await soon(answer)).toBe('nothing yet');
  expect(store.kept.size).toBe(0);
  disk.resolve();
  const [first, second] = await Promise.all(answers);
  expect(first).toMatchObject({ kind: 'operation', operation: { state: 'applied' } });
  expect(second).toEqual(first);
  expect([...store.kept.values()]).toMatchObject([{ state: 'applied' }]);
});

it('answers at its deadline that the outcome is unknown, though nothing can be kept of that either', async () => {
  const { store, disk, clock, operations } = await open();
  store.slow = disk.promise;
  const work = Promise.withResolvers<Ending>();
  const answer = operations.carryOut(asked, () => work.promise, { withinMs: 10_000 });
  clock.advance(10_000);
  expect(await soon(answer)).toMatchObject({
    operation: { state: 'unknown', why: expect.stringContaining('10000 ms') },
  });
  disk.resolve();
  work.resolve(done);
  await settled();
  expect([...store.kept.values()]).toMatchObject([{ state: 'applied' }]);
});

it('keeps and lists nothing of what could not be begun, tells everybody who waits for it, and frees the key', async () => {
  const { store, operations } = await open();
  const work = Promise.withResolvers<Ending>();
  const answers = [1, 2].map(() => operations.carryOut(asked, () => work.promise));
  work.reject(new Error('not possible'));
  for (const answer of await Promise.allSettled(answers))
    expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'not possible' } });
  expect(operations.list(10)).toEqual([]);
  expect(store.kept.size).toBe(0);
  expect(await operations.carryOut(asked, async () => done)).toMatchObject({
    operation: { state: 'applied' },
  });
});

it('keeps the end of what was refused after a step, as no news, so that the next start takes it for nothing left', async () => {
  const { store, bridge, clock, operations } = await open();
  const told: string[] = [];
  const hear = ({ events }: typeof bridge) =>
    events.follow(({ event: { type } }) => type === 'operations.ended' && told.push(type));
  hear(bridge);
  const refused = operations.carryOut(asked, async (_, step) => {
    await step('looking');
    throw new Error('not possible');
  });
  await expect(refused).rejects.toThrow('not possible');
  const end = { state: 'void', step: 'looking', why: 'not possible', notDurable: true };
  expect([...store.kept.values()]).toMatchObject([end]);
  expect(operations.list(10)).toMatchObject([end]);
  await bridge.stop();
  const next = buildBridge({ mode: new MemoryMode(), clock, store });
  hear(next);
  await next.start();
  expect(next.operations.live).toEqual([]);
  expect(await next.operations.carryOut(asked, async () => done)).toMatchObject({
    operation: { state: 'applied' },
  });
  await next.stop();
  expect(told).toEqual(['operations.ended']);
});

it('tells of what fails after its outcome was said to be unknown', async () => {
  const { clock, operations } = await open();
  const work = Promise.withResolvers<Ending>();
  const answer = operations.carryOut(asked, () => work.promise, { withinMs: 10_000 });
  clock.advance(10_000);
  expect(await answer).toMatchObject({ operation: { state: 'unknown' } });
  work.reject(new Error('not possible'));
  await settled();
  expect(operations.list(10)).toMatchObject([{ state: 'void', why: 'not possible', notDurable: true }]);
});

it('begins nothing once it is closed, and finishes what was begun before', async () => {
  const { store, bridge, operations } = await open();
  const work = Promise.withResolvers<Ending>();
  const first = operations.carryOut(asked, () => work.promise);
  const stopped = bridge.stop();
  await settled();
  let begun = false;
  const late = await operations.carryOut({ ...asked, idempotencyKey: 'late' }, async () => {
    begun = true;
    return done;
  });
  expect(late).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('stopping') });
  expect(begun).toBe(false);
  work.resolve(done);
  await stopped;
  expect(await first).toMatchObject({ operation: { state: 'applied' } });
  expect([...store.kept.values()]).toMatchObject([{ state: 'applied' }]);
});
