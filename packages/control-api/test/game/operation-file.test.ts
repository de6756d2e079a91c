import { appendFileSync, mkdirSync, readFileSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs';
import { fillDisk } from '@steward/testing/full-disk';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import type { Operation } from '../../src/game/operations/operation.ts';
import { NewerFiles } from '../../src/store/newer-files.ts';
import { OperationFile, type OperationFileParts } from '../../src/store/operation-file.ts';
import { quiet } from './stage/stage.ts';

const date = () => new Date('2026-11-21T06:30:00.000Z');

function operationOf(id: number, state: Operation['state'] = 'void'): Operation {
  const at = date().toISOString();
  return { id: String(id), command: 'save', state, createdAt: at, changedAt: at, fingerprint: 'f' };
}

function fileIn(directory: string, disk: OperationFileParts['disk'] = { failed: () => {} }): OperationFile {
  return new OperationFile(`${directory}/operations.jsonl`, {
    log: quiet,
    now: date,
    newerFiles: new NewerFiles(quiet),
    disk,
  });
}

it('keeps what was written, cut off at whichever byte the power went', async () => {
  using directory = temporaryDirectory();
  const path = `${directory.path}/operations.jsonl`;
  const file = fileIn(directory.path);
  await file.load();
  await file.write(operationOf(1, 'claimed'));
  const safe = readFileSync(path).length;
  await Promise.all([file.write(operationOf(1, 'applied')), file.write(operationOf(2))]);
  await file.close();
  const whole = readFileSync(path);
  for (let length = safe; length <= whole.length; length += 1) {
    writeFileSync(path, whole);
    truncateSync(path, length);
    const again = fileIn(directory.path);
    const [first] = await again.load();
    await again.close();
    expect(first).toMatchObject({ id: '1', state: expect.stringMatching(/^(claimed|applied)$/) });
  }
});

it('writes what could not be kept as each version reads it', async () => {
  using directory = temporaryDirectory();
  const file = fileIn(directory.path);
  await file.load();
  await file.write({ ...operationOf(1), notDurable: true });
  await file.close();
  const [, line = ''] = readFileSync(`${directory.path}/operations.jsonl`, 'utf8').split('\n');
  expect(JSON.parse(line)).toEqual({ ...operationOf(1), unkept: true });
  const again = fileIn(directory.path);
  expect(await again.load()).toMatchObject([{ id: '1', notDurable: true }]);
  await again.close();
});

it('is read where it cannot be written yet, and written whole with the next change', async () => {
  using directory = temporaryDirectory();
  const path = `${directory.path}/operations.jsonl`;
  const line = JSON.stringify(operationOf(7));
  writeFileSync(path, `${line}\n`);
  mkdirSync(`${path}.new`);
  const file = fileIn(directory.path);
  expect((await file.load()).map(({ id }) => id)).toEqual(['7']);
  await expect(file.write(operationOf(8))).rejects.toThrow();
  rmdirSync(`${path}.new`);
  await file.write(operationOf(9));
  await file.close();
  const again = fileIn(directory.path);
  expect((await again.load()).map(({ id }) => id)).toEqual(['7', '8', '9']);
  await again.close();
});

it('keeps what could not be kept once there is room, without another change, and at the latest when it is closed', async () => {
  using directory = temporaryDirectory();
  let again = async (): Promise<void> => {};
  const disk: OperationFileParts['disk'] = {
    failed(_, retry = again) {
      again = retry;
    },
  };
  const file = fileIn(directory.path, disk);
  await file.load();
  fillDisk(true);
  await expect(file.write(operationOf(7))).rejects.toThrow('ENOSPC');
  await expect(again()).rejects.toThrow('ENOSPC');
  fillDisk(false);
  await again();
  fillDisk(true);
  await expect(file.write(operationOf(8))).rejects.toThrow('ENOSPC');
  fillDisk(false);
  await file.close();
  const later = fileIn(directory.path);
  expect((await later.load()).map(({ id }) => id)).toEqual(['7', '8']);
  await later.close();
});

it('passes over lines that it cannot read and keeps the others', async () => {
  using directory = temporaryDirectory();
  const path = `${directory.path}/operations.jsonl`;
  appendFileSync(path, `garbage\n${JSON.stringify(operationOf(7))}\n{"id":"8"}\n`);
  const file = fileIn(directory.path);
  expect((await file.load()).map(({ id }) => id)).toEqual(['7']);
  await file.close();
});

it('forgets none with a key for those without one, over any number of rewrites', async () => {
  using directory = temporaryDirectory();
  const file = fileIn(directory.path);
  await file.load();
  const keyed = Array.from({ length: 1_001 }, (_, key) => ({ ...operationOf(key), keyDigest: `${key}` }));
  await Promise.all(keyed.map((operation) => file.write(operation)));
  for (let batch = 0; batch < 14; batch += 1)
    await Promise.all(
      Array.from({ length: 500 }, (_, index) => file.write(operationOf(2_000 + batch * 500 + index))),
    );
  await file.close();
  const lines = readFileSync(`${directory.path}/operations.jsonl`, 'utf8').trim().split('\n');
  expect(lines.length).toBeLessThan(6_600);
  const again = fileIn(directory.path);
  const kept = await again.load();
  await again.close();
  expect(kept.filter(({ keyDigest }) => keyDigest !== undefined)).toEqual(keyed.slice(1));
  expect(kept).toHaveLength(2_000);
  expect(kept.at(-1)?.id).toBe('8999');
});

it('does not grow without end, and forgets the oldest beyond a thousand', async () => {
  using directory = temporaryDirectory();
  const file = fileIn(directory.path);
  await file.load();
  for (let batch = 0; batch < 12; batch += 1) {
    await Promise.all(
      Array.from({ length: 500 }, (_, index) => file.write(operationOf(batch * 500 + index))),
    );
  }
  await file.close();
  const lines = readFileSync(`${directory.path}/operations.jsonl`, 'utf8').trim().split('\n');
  expect(lines.length).toBeLessThan(5_600);
  const again = fileIn(directory.path);
  const kept = await again.load();
  await again.close();
  expect(kept).toHaveLength(1_000);
  expect(kept.at(-1)?.id).toBe('5999');
});
