import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { fileName, OwnershipFile } from '../../src/ownership/ownership-file.ts';
import { claimOf, emptyMap, type OwnershipMap } from '../../src/ownership/ownership-map.ts';
import { oneMoreClaim } from './stage/one-more-claim.ts';

const farmId = 'Meadow_1';
const owner = claimOf({ space: 'platform', id: 76561198000000001n });
const before: OwnershipMap = { ...emptyMap, farmhands: { '1': owner } };
const garbage = '{"version":1,"farmhands":{"1":{"ow';

async function write(directory: string, killAt: number, manner: string): Promise<Program> {
  const script = 'packages/control-api/test/ownership/stage/killed-write.ts';
  const program = new Program(script, [directory, String(killAt), manner]);
  await program.exited;
  return program;
}

function moments(steps: number, writes: readonly number[]) {
  return [
    ...Array.from({ length: steps }, (_, index) => ({ killAt: index + 1, manner: 'before' })),
    ...writes.map((killAt) => ({ killAt, manner: 'halfway' })),
  ];
}

describe('a write of the map that is killed', () => {
  it('has as many steps as are tried here', async () => {
    using directory = temporaryDirectory();
    await new OwnershipFile(directory.path).write(farmId, before);
    expect((await write(directory.path, 0, '')).stdout).toEqual(['written in 5 steps']);
  });

  it.concurrent.for(moments(5, [2]))(
    'at step $killAt ($manner) leaves the old map or the new one, and the next write goes through',
    async ({ killAt, manner }, { expect }) => {
      using directory = temporaryDirectory();
      const file = new OwnershipFile(directory.path);
      await file.write(farmId, before);
      const killed = await write(directory.path, killAt, manner);
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' });
      const content = await file.read(farmId);
      if (content.kind !== 'map') throw new Error(content.kind);
      expect(content.map.farmhands['1']).toEqual(owner);
      expect(content.map.farmhands['2'] !== undefined).toBe(killAt === 5);
      await oneMoreClaim(directory.path);
      expect(await file.read(farmId)).toMatchObject({ map: { farmhands: { '2': { id: '5' } } } });
    },
  );
});

describe('setting a corrupt map aside, killed', () => {
  const steps = 15;

  function corrupt(directory: string): string {
    const farm = join(directory, farmId);
    mkdirSync(farm);
    writeFileSync(join(farm, fileName), garbage);
    return farm;
  }

  it('has as many steps as are tried here', async () => {
    using directory = temporaryDirectory();
    corrupt(directory.path);
    expect((await write(directory.path, 0, '')).stdout).toEqual([`written in ${steps} steps`]);
  });

  it.concurrent.for(moments(steps, [2, 7, 12]))(
    'at step $killAt ($manner) loses nothing of it, and nothing looks like a farm without owners',
    async ({ killAt, manner }, { expect }) => {
      using directory = temporaryDirectory();
      const farm = corrupt(directory.path);
      await write(directory.path, killAt, manner);
      const kept = () =>
        readdirSync(farm).filter((name) => readFileSync(join(farm, name), 'utf8') === garbage);
      expect(kept()).not.toEqual([]);
      const file = new OwnershipFile(directory.path);
      const content = await file.read(farmId);
      if (content.kind === 'map') expect(content.map.doubts?.farmhands).toEqual(['1']);
      else expect(content.kind).toBe('corrupt');
      await oneMoreClaim(directory.path);
      expect(await file.read(farmId)).toMatchObject({
        kind: 'map',
        map: { doubts: { farmhands: ['1'] }, farmhands: { '2': { owner: 'network', id: '5' } } },
      });
      expect(kept()).not.toEqual([]);
      expect(kept()).not.toContain(fileName);
    },
  );
});
