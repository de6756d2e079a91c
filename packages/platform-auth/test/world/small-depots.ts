import { chunksInMemory } from '@steward/platform-emulator/depot/chunk-store';
import type { Depot, DepotFile } from '@steward/platform-emulator/depot/depot';
import { incompressible, programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { libraryWithExecutableStack } from '@steward/platform-emulator/depot/game/program-files';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';

const depotId = 413_153;

function file(name: string, label: string, size = 300): DepotFile {
  return { kind: 'file', name, content: programLike(label, size) };
}

function list(...names: readonly string[]): DepotFile {
  const entries = Object.fromEntries(names.map((name) => [name, `hash of ${name}`]));
  return { kind: 'file', name: 'Content/ContentHashes.json', content: Buffer.from(JSON.stringify(entries)) };
}

function library(label: string): DepotFile {
  const content = libraryWithExecutableStack(programLike(label, 5000));
  return { kind: 'file', name: 'libGalaxy64.so', content };
}

let made: readonly [Depot, Depot] | undefined;

/** Two versions of a game of a dozen files in which everything occurs that an update may have to do. */
export function twoVersions(): readonly [Depot, Depot] {
  made ??= makeVersions();
  return made;
}

function makeVersions(): readonly [Depot, Depot] {
  const bank = incompressible('bank', 1_200_000);
  const first = makeDepot({ depotId, name: 'first', format: 'zip', chunkStore: chunksInMemory() }, [
    { kind: 'file', name: 'FarmGame', content: programLike('one', 900), executable: true },
    library('library'),
    file('Content/Same.xnb', 'same'),
    file('Content/Changed.xnb', 'before'),
    file('Content/Gone.xnb', 'gone'),
    file('Content/Text.de-DE.xnb', 'german'),
    file('Old/only/here.txt', 'old'),
    { kind: 'file', name: 'large.bin', content: bank },
    { kind: 'symlink', name: 'now-a-file', target: 'FarmGame' },
    file('now-a-folder', 'a file'),
    file('was-a-folder/inside.txt', 'inside'),
    list('Same.xnb', 'Changed.xnb', 'Gone.xnb', 'Text.de-DE.xnb'),
  ]);
  const changedBank = { size: bank.size, read: changedInTheMiddle(bank.read) };
  const second = makeDepot(
    { depotId, name: 'second', format: 'zip', createdAt: 1_800_000_000, chunkStore: chunksInMemory() },
    [
      { kind: 'file', name: 'FarmGame', content: programLike('two', 950), executable: true },
      library('newer library'),
      file('Content/Same.xnb', 'same'),
      file('Content/Changed.xnb', 'after', 500),
      file('Content/New.xnb', 'new'),
      file('Content/Text.de-DE.xnb', 'german'),
      { kind: 'file', name: 'large.bin', content: changedBank },
      { kind: 'file', name: 'empty', content: Buffer.alloc(0) },
      { kind: 'symlink', name: 'a-link', target: 'Content/New.xnb' },
      file('now-a-file', 'a file at last'),
      file('now-a-folder/inside.txt', 'inside'),
      file('was-a-folder', 'a file'),
      list('Same.xnb', 'Changed.xnb', 'New.xnb', 'Text.de-DE.xnb'),
    ],
  );
  return [first, second];
}

function changedInTheMiddle(read: (offset: number, length: number) => Buffer) {
  const at = 1_100_000;
  return (offset: number, length: number): Buffer => {
    const bytes = Buffer.from(read(offset, length));
    if (at >= offset && at < offset + length) bytes[at - offset] = (bytes[at - offset] ?? 0) ^ 0xff;
    return bytes;
  };
}
