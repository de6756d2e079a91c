import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { nameProblem } from '../../../src/backups/archive/archive-format.ts';

/** What lies in a folder or a file, as far as a backup keeps it. */
export interface Tree {
  readonly mode: number;
  /** In microseconds. */
  readonly modifiedAt: number;
  readonly content: Uint8Array | ReadonlyMap<string, Tree>;
}

/** What a file system takes. */
const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    anyText({ minLength: 1, maxLength: 40 }),
    fc.stringMatching(/^[a-z]{1,3}$/),
    fc.stringMatching(/^[a-z]{90,200}$/),
  )
  .filter((text) => nameProblem(text) === undefined && Buffer.byteLength(text) <= 255);

const times = fc.oneof(
  fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
  fc.integer({ min: 1_700_000_000_000_000, max: 1_800_000_000_000_000 }),
);

const content = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  fc.constantFrom(0, 511, 512, 513, 300_000).map((length) => new Uint8Array(length).fill(7)),
);

/** Its modes are such that their owner can read it. */
export const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree; folder: Tree; file: Tree }>((tie) => ({
  file: fc.record({ mode: modes(0o400), modifiedAt: times, content }),
  folder: fc.record({
    mode: modes(0o500),
    modifiedAt: times,
    content: fc.array(fc.tuple(name, tie('tree')), { maxLength: 5 }).map((entries) => new Map(entries)),
  }),
  tree: fc.oneof({ depthSize: 'small' }, tie('file'), tie('folder')),
})).folder;

function modes(least: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 0o777 }).map((mode) => mode | least);
}

export function writeTree(path: string, { mode, modifiedAt, content }: Tree): void {
  if (content instanceof Uint8Array) writeFileSync(path, content);
  else {
    mkdirSync(path);
    for (const [below, each] of content) writeTree(join(path, below), each);
  }
  chmodSync(path, mode);
  const seconds = (modifiedAt + 0.5) / 1_000_000;
  utimesSync(path, seconds, seconds);
}

export function readTree(path: string): Tree {
  const stats = lstatSync(path, { bigint: true });
  return {
    mode: Number(stats.mode & 0o7777n),
    modifiedAt: Number(stats.mtimeNs / 1_000n),
    content: stats.isDirectory()
      ? new Map(
          readdirSync(path)
            .sort()
            .map((below) => [below, readTree(join(path, below))]),
        )
      : new Uint8Array(readFileSync(path)),
  };
}

/** A line for each; names as those have them that put accents and letters together, as bsdtar does. */
export function listed({ mode, modifiedAt, content }: Tree, path = ''): readonly string[] {
  const line = [
    path.normalize(),
    mode,
    modifiedAt,
    content instanceof Uint8Array ? Buffer.from(content).toString('hex') : 'folder',
  ];
  const below =
    content instanceof Uint8Array
      ? []
      : [...content].flatMap(([name, each]) => listed(each, `${path}/${name}`));
  return [line.join(' '), ...below].toSorted();
}
