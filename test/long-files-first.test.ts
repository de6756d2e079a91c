import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { longFiles, longFirst } from '../scripts/test/long-files-first.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [long = ''] = longFiles;
const short = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `test/${name}.test.ts`);

function ordered(seed: number): readonly string[] {
  const files = [...short, long].map((path) => ({ moduleId: join(root, path) }));
  return longFirst(files, seed).map(({ moduleId }) => moduleId.slice(root.length));
}

it('begins with what takes long, and shuffles the rest by the seed of the run', () => {
  const one = ordered(1);
  expect(one[0]).toBe(long);
  expect(one.toSorted()).toEqual([...short, long].toSorted());
  expect(ordered(1)).toEqual(one);
  expect(ordered(2).slice(1)).not.toEqual(one.slice(1));
});

it('names files that are there', () => {
  expect(longFiles.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
