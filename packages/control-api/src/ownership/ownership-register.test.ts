import { mkdirSync, readFileSync } from 'node:fs';
import { type FileSteps, fileSteps } from '@steward/service-kit/files/replace-file';
import type { Log } from '@steward/service-kit/log/logger';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { OwnershipFile } from './ownership-file.ts';
import { emptyMap } from './ownership-map.ts';
import { OwnershipRegister } from './ownership-register.ts';

const owner = { owner: 'network', id: '5', origin: 'claim' } as const;

const farm = (farmId: string, saveGeneration: number) => ({
  farmId,
  saveGeneration,
  slots: [],
  isComplete: true,
});

function registerIn(directory: string) {
  const disk = { isFull: false };
  const errors: string[] = [];
  const steps: FileSteps = {
    ...fileSteps,
    write: (file, text) =>
      disk.isFull ? Promise.reject(new Error('no space left on device')) : fileSteps.write(file, text),
  };
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (_: object, message: string) => void errors.push(message),
  };
  const file = new OwnershipFile(directory, steps);
  return { register: new OwnershipRegister(file, log, new ManualClock()), disk, errors, file };
}

describe('a farm that is left with changes that could not be written', () => {
  it('has them written then, as of its own save', async () => {
    using directory = temporaryDirectory();
    const { register, disk, file, errors } = registerIn(directory.path);
    mkdirSync(`${directory.path}/Old`);
    await register.open(farm('Old', 3));
    disk.isFull = true;
    await register.commitOrRetry({ ...emptyMap, farmhands: { 1: owner } });
    disk.isFull = false;
    await register.open(farm('New', 900));
    expect(JSON.parse(readFileSync(file.path('Old'), 'utf8'))).toMatchObject({
      saveGeneration: 3,
      farmhands: { 1: owner },
    });
    expect(errors).toHaveLength(1);
  });

  it('says so where they are lost', async () => {
    using directory = temporaryDirectory();
    const { register, disk, errors } = registerIn(directory.path);
    await register.open(farm('Old', 3));
    disk.isFull = true;
    await register.commitOrRetry({ ...emptyMap, farmhands: { 1: owner } });
    await register.open(farm('New', 900));
    expect(errors.at(-1)).toContain('they are lost');
  });
});
