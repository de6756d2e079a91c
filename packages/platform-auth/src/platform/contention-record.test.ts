import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { ContentionRecord } from './contention-record.ts';

const kept = {
  account: '76561198000000001',
  reason: 'taken',
  since: '2026-11-23T08:00:00.000Z',
  at: '2026-11-23T08:15:00.000Z',
};

it('has what was written last, and nothing once that is over', async () => {
  using directory = temporaryDirectory();
  const record = new ContentionRecord(directory.path);
  expect(await record.read()).toBeUndefined();
  record.write({ ...kept, at: kept.since });
  record.write(kept);
  await record.settled();
  expect(await new ContentionRecord(directory.path).read()).toEqual(kept);
  record.write(undefined);
  await record.settled();
  expect(await record.read()).toBeUndefined();
  expect(readdirSync(directory.path)).toEqual([]);
});

it.each([
  ['of a newer version', '{"version":2}\n', '{"version":2}\n'],
  ['that is damaged', '{"version":1,', undefined],
])('reads nothing from a file %s', async (_which, text, left) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'contention.json');
  writeFileSync(path, text);
  const record = new ContentionRecord(directory.path);
  expect(await record.read()).toBeUndefined();
  record.write(kept);
  await record.settled();
  if (left === undefined) expect(await record.read()).toEqual(kept);
  else expect(readFileSync(path, 'utf8')).toBe(left);
});

it('lets the service go on where nothing can be written', async () => {
  using directory = temporaryDirectory();
  const record = new ContentionRecord(join(directory.path, 'missing'));
  record.write(kept);
  await record.settled();
  expect(await record.read()).toBeUndefined();
});
