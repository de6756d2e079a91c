import { type FileSteps, fileSteps } from '@steward/service-kit/files/replace-file';
import { expect, it, vi } from 'vitest';
import type { CommandResult, Operation } from '../../src/game/operations/operation.ts';
import { emptyMap } from '../../src/ownership/ownership-map.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand } from './stage/village.ts';

/** Of a busy machine. */
const patience = { timeout: 20_000 };

const minuteMs = 60_000;

function hours(count: number): number {
  return count * 60 * minuteMs;
}

const at = '2026-11-20T06:30:00.000Z';
const claimed: Operation = {
  id: '77',
  command: 'rebindFarmhand',
  state: 'claimed',
  createdAt: at,
  changedAt: at,
  farmId: 'Meadow_1',
  fingerprint: 'f',
};
const outcome = {
  outcome: 'applied' as const,
  subject: { id: '1', name: 'Ann' },
  before: { owned: false, released: false },
  after: { owned: true, released: false, door: 'network', origin: 'operator' },
};
const slots = [farmhand('1', 'Ann')];

it('tells after a crash that a rebind was made, when it stands in the map', async () => {
  const journal = [{ command: '77', state: 'applied' as const, outcome }];
  const content = { ...emptyMap, journal };
  await using stage = await openVillage({ slots, content, operations: [claimed] });
  await vi.waitFor(
    () => expect(stage.bridge.operations.find('77')).toMatchObject({ state: 'applied', outcome }),
    patience,
  );
});

it('tells after a crash that a rebind was not made, when it does not', async () => {
  await using stage = await openVillage({ slots, content: emptyMap, operations: [claimed] });
  await vi.waitFor(
    () => expect(stage.bridge.operations.find('77')).toMatchObject({ state: 'void' }),
    patience,
  );
});

it('has the stamp of the former owner cleared after a rebind that was cut off, and no other', async () => {
  const record = { owner: 'network', id: '5', origin: 'operator' } as const;
  const farmhands = { '1': record, '2': record, '3': { ...record, owner: 'platform' } as const };
  const stamped = [
    farmhand('1', 'Ann', '46265193014'),
    farmhand('2', 'Bob', '5'),
    farmhand('3', 'Cleo', '6'),
  ];
  await using stage = await openVillage({ slots: stamped, content: { ...emptyMap, farmhands } });
  await stage.village.calm();
  expect(stage.village.slots.map(({ stamp }) => stamp)).toEqual([undefined, '5', '6']);
});

it('waits for a disk that is slow to keep what an operator did, and never says that it will not be', async () => {
  const { disk, writing, slow, steps } = heldDisk();
  await using stage = await openVillage({ slots, steps });
  slow.on = true;
  const asked = [stage.ownership.rebind({ name: 'Ann' }, '5'), stage.ownership.rebind({ name: 'Ann' }, '6')];
  await writing.promise;
  // It is the disk of the list of operations, too.
  stage.store.slow = disk.promise;
  stage.clock.advance(minuteMs);
  const ids = (await Promise.all(asked)).map((result) => outcomeOf(result).id);
  for (let times = 0; times < 3; times += 1) {
    // As whenever a map has been opened.
    stage.bridge.operations.restore('Meadow_1', [], () => true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ids.map((id) => stage.bridge.operations.find(id)?.state)).toEqual(['unknown', 'unknown']);
  }
  disk.resolve();
  await vi.waitFor(
    () => expect(ids.map((id) => stage.bridge.operations.find(id)?.state)).toEqual(['applied', 'applied']),
    patience,
  );
  expect(stage.onDisk().farmhands).toEqual({ '1': { owner: 'network', id: '6', origin: 'operator' } });
});

it('writes what an operator did and its effect in one', async () => {
  await using stage = await openVillage({ slots });
  await stage.ownership.rebind({ name: 'Ann' }, '5');
  expect(stage.onDisk()).toMatchObject({
    farmhands: { '1': { owner: 'network', id: '5', origin: 'operator' } },
    journal: [{ state: 'applied', outcome: { subject: { name: 'Ann' }, after: { door: 'network' } } }],
  });
});

it('answers a late retry that nobody else remembers from the map, and leaves what was decided since', async () => {
  await using stage = await openVillage({ slots });
  const first = await stage.ownership.rebind({ name: 'Ann' }, '5', 'k-1');
  await stage.ownership.rebind({ name: 'Ann' }, '6', 'k-2');
  stage.store.kept.clear();
  await stage.restart();
  const again = await stage.ownership.rebind({ name: 'Ann' }, '5', 'k-1');
  expect(outcomeOf(again)).toEqual(outcomeOf(first));
  expect(stage.onDisk().farmhands).toEqual({ '1': { owner: 'network', id: '6', origin: 'operator' } });
  expect(stage.onDisk().journal).toHaveLength(2);
});

it('finds in the map what a crash kept from the list of operations, and a retry the day after gets the first answer', async () => {
  await using stage = await openVillage({ slots });
  stage.clock.advance(hours(12));
  const first = outcomeOf(await stage.ownership.rebind({ name: 'Ann' }, '5', 'k-1'));
  const { createdAt } = stage.bridge.operations.find(first.id) ?? {};
  await stage.ownership.rebind({ name: 'Ann' }, '6', 'k-2');
  stage.clock.advance(hours(23));
  // Killed when the map was written, before anything else was.
  stage.store.kept.clear();
  await stage.restart();
  expect(stage.bridge.operations.find(first.id)).toMatchObject({
    command: 'rebindFarmhand',
    state: 'applied',
    createdAt,
    farmId: 'Meadow_1',
    outcome: first.outcome,
  });
  expect(stage.store.kept.get(first.id)).toMatchObject({ state: 'applied' });
  expect(outcomeOf(await stage.ownership.rebind({ name: 'Ann' }, '5', 'k-1'))).toEqual(first);
  expect(await stage.ownership.release({ name: 'Ann' }, 'k-1')).toMatchObject({ kind: 'key-reused' });
  expect(stage.onDisk().farmhands).toEqual({ '1': { owner: 'network', id: '6', origin: 'operator' } });
});

it('knows it no longer than any other', async () => {
  await using stage = await openVillage({ slots });
  const first = outcomeOf(await stage.ownership.rebind({ name: 'Ann' }, '5', 'k-1'));
  stage.clock.advance(hours(24) + 1);
  await stage.ownership.release({ name: 'Ann' }, 'k-2');
  stage.store.kept.delete(first.id);
  await stage.restart();
  expect(stage.bridge.operations.find(first.id)).toBeUndefined();
  expect(await stage.ownership.release({ name: 'Ann' }, 'k-1')).toMatchObject({ kind: 'operation' });
});

it('reads the map before it looks for a key', async () => {
  await using stage = await openVillage({ slots });
  stage.clock.advance(hours(12));
  const first = outcomeOf(await stage.ownership.rebind({ name: 'Ann' }, '5', 'k-1'));
  await stage.ownership.rebind({ name: 'Ann' }, '6', 'k-2');
  stage.clock.advance(hours(23));
  stage.store.kept.clear();
  // It needs no disk that takes the list anew.
  stage.store.full = true;
  const retried = Promise.withResolvers<CommandResult>();
  await stage.restart((ownership) => retried.resolve(ownership.rebind({ name: 'Ann' }, '5', 'k-1')));
  expect(outcomeOf(await retried.promise)).toEqual(first);
  expect(stage.onDisk().farmhands).toEqual({ '1': { owner: 'network', id: '6', origin: 'operator' } });
});

it('has a retry wait for what is in flight, and does it once', async () => {
  await using stage = await openVillage({ slots });
  const [first, second, other] = await Promise.all([
    stage.ownership.rebind({ name: 'Ann' }, '5', 'k-1'),
    stage.ownership.rebind({ name: 'Ann' }, '5', 'k-1'),
    stage.ownership.rebind({ name: 'Ann' }, '6', 'k-1'),
  ]);
  expect(outcomeOf(second)).toEqual(outcomeOf(first));
  expect(other).toMatchObject({ kind: 'key-reused' });
  expect(stage.onDisk().journal).toHaveLength(1);
});

it('is for the farm that it was asked for, and leaves another that is loaded before its turn comes', async () => {
  const { disk, writing, slow, steps } = heldDisk();
  await using stage = await openVillage({ slots, steps });
  slow.on = true;
  const first = stage.ownership.rebind({ name: 'Ann' }, '5');
  await writing.promise;
  const second = stage.ownership.rebind({ name: 'Ann' }, '6', 'k-1');
  stage.village.farmId = 'Other_2';
  stage.village.tell();
  await vi.waitFor(() => expect(stage.bridge.state.sections.farm?.farmId).toBe('Other_2'), patience);
  disk.resolve();
  expect(outcomeOf(await first).outcome).toMatchObject({ outcome: 'applied' });
  expect(outcomeOf(await second).outcome).toMatchObject({
    outcome: 'refused',
    code: 'not-ready',
    message: expect.stringContaining('Another farm'),
  });
  expect(stage.onDisk().farmhands).toEqual({ '1': { owner: 'network', id: '5', origin: 'operator' } });
  // Its key is free for the farm that is there now.
  const again = outcomeOf(await stage.ownership.rebind({ name: 'Ann' }, '6', 'k-1'));
  expect(stage.bridge.operations.find(again.id)).toMatchObject({ state: 'applied', farmId: 'Other_2' });
});

function outcomeOf(result: CommandResult) {
  if (result.kind !== 'operation') throw new Error(result.kind);
  return { id: result.operation.id, outcome: result.operation.outcome };
}

/** A disk that takes no write once it is slow, until it is told to. */
function heldDisk() {
  const disk = Promise.withResolvers<void>();
  const writing = Promise.withResolvers<void>();
  const slow = { on: false };
  const steps: FileSteps = {
    ...fileSteps,
    async write(file, text) {
      if (slow.on) {
        writing.resolve();
        await disk.promise;
      }
      await fileSteps.write(file, text);
    },
  };
  return { disk, writing, slow, steps };
}
