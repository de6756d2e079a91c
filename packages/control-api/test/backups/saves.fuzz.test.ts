import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkSave, findSaves, SaveError } from '../../src/backups/saves.ts';

const info =
  '<Farmer><farmName>Meadow</farmName><dayOfMonthForSaveGame>4</dayOfMonthForSaveGame><seasonForSaveGame>1</seasonForSaveGame><yearForSaveGame>2</yearForSaveGame></Farmer>';
const save =
  '<SaveGame><player><name>&lt;Robin&gt;</name><farmName>Meadow</farmName></player><dayOfMonth>4</dayOfMonth></SaveGame>';

it('says of a save that was damaged, or is anything else, what it is or what is wrong with it, and comes back soon', {
  timeout: 3_600_000,
}, async () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, 'Meadow_1');
  mkdirSync(folder);
  const hostile = (text: string) =>
    fc.oneof(fc.constant(Buffer.from(text)), damaged(fc.constant(Buffer.from(text))), garbage());
  await fc.assert(
    fc.asyncProperty(hostile(info), hostile(save), async (infoBytes, saveBytes) => {
      writeFileSync(join(folder, 'SaveGameInfo'), infoBytes);
      writeFileSync(join(folder, 'Meadow_1'), saveBytes);
      expect(await findSaves(directory.path)).toEqual([folder]);
      const told = await withstandAsync(() => checkSave(folder).catch((error: unknown) => error));
      if (told instanceof Error) expect(told).toBeInstanceOf(SaveError);
      else expect(told).toMatchObject({ name: 'Meadow_1', farm: { farmId: 'Meadow_1' } });
    }),
    { numRuns: count({ small: 300, long: 30_000 }) },
  );
});
