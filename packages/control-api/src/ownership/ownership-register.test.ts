import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

it('keeps one copy aside of a corrupt map that none can take the place of, however often it is looked at', async () => {
  using directory = temporaryDirectory();
  const { file, errors } = registerIn(directory.path);
  const folder = `${directory.path}/Old`;
  mkdirSync(folder);
  writeFileSync(file.path('Old'), '');
  const steps: FileSteps = {
    ...fileSteps,
    // As of a file that is mounted by itself.
    rename: (from, to) =>
      to === file.path('Old')
        ? Promise.reject(Object.assign(new Error('busy'), { code: 'EBUSY' }))
        : fileSteps.rename(from, to),
  };
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (_, message) => void errors.push(message),
  };
  const register = new OwnershipRegister(new OwnershipFile(directory.path, steps), log, new ManualClock());
  for (let looks = 0; looks < 5; looks += 1) await register.open(farm('Old', 3));
  const copies = () => readdirSync(folder).filter((name) => name.includes('.corrupt-'));
  expect(copies()).toHaveLength(1);
  // Another content is kept, too, and so is one whose copy somebody has taken away.
  writeFileSync(file.path('Old'), '{');
  await register.open(farm('Old', 3));
  expect(copies()).toHaveLength(2);
  for (const name of copies()) rmSync(`${folder}/${name}`);
  await register.open(farm('Old', 3));
  expect(copies()).toHaveLength(1);
});

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
