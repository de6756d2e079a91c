import { readdirSync } from 'node:fs';
import { type FileSteps, fileSteps } from '@steward/service-kit/files/replace-file';
import { describe, expect, it } from 'vitest';
import { address, network, other } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';

describe('a disk that is full', () => {
  function fullDisk(): FileSteps & { full: boolean } {
    return {
      ...fileSteps,
      full: false,
      async write(file, text) {
        if (this.full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        await fileSteps.write(file, text);
      },
    };
  }

  it('lets owners in and those by address, and nobody whose claim could not be kept; then all is well again', async () => {
    const steps = fullDisk();
    await using stage = await openVillage({ steps });
    const { village } = stage;
    await village.moveIn(network, '1', 'Ann', '46265193014');
    steps.full = true;
    expect(await village.join(other, '2', '5')).toBe(false);
    expect(stage.ownership.view.problems).toMatchObject([{ code: 'ownership-unwritable' }]);
    expect(await village.join(network, '1', '46265193014')).toBe(true);
    expect(await village.join(address, '3')).toBe(true);
    expect(await stage.ownership.release({ name: 'Ann' }, 'k')).toMatchObject({
      operation: { state: 'void', notDurable: true, why: expect.stringContaining('ENOSPC') },
    });
    expect(readdirSync(stage.directory)).toEqual(['farmhand-ownership.json']);
    steps.full = false;
    stage.clock.advance(5_000);
    village.tell();
    await village.calm();
    expect(stage.ownership.view.problems).toEqual([]);
    expect(await village.join(other, '2', '5')).toBe(true);
    expect(await stage.ownership.release({ name: 'Ann' }, 'k')).toMatchObject({
      operation: { state: 'applied' },
    });
  });
});
