import { createHash } from 'node:crypto';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, test } from 'vitest';
import { chunksInDirectory, chunksInMemory } from '../src/depot/chunk-store.ts';
import { contentOf, type Depot } from '../src/depot/depot.ts';
import { buildGame, buildSdk } from '../src/depot/game/build-game.ts';
import { languageCodes } from '../src/depot/game/content-files.ts';
import { hostileDepots, innocentName } from '../src/depot/hostile-depots.ts';
import { makeDepot } from '../src/depot/make-depot.ts';
import { adlerFromZero } from '../src/depot/manifest.ts';
import { cdnCompression, readManifest, steamCrypto } from './library-pieces.ts';

const million = 1_000_000;

function names(depot: Depot): string[] {
  return depot.files.map((file) => file.name.replaceAll('\\', '/'));
}

function bytesWhere(depot: Depot, fits: (name: string) => boolean): number {
  return depot.files
    .filter((file) => fits(file.name.replaceAll('\\', '/')))
    .reduce((sum, file) => sum + (file.kind === 'file' ? contentOf(file.content).size : 0), 0);
}

test('the library reads every file of a depot back, sums, flags and links included', async () => {
  // Not VZ: the library's pure JavaScript decoder of it needs a second for each megabyte.
  const { linux } = buildGame({ seed: 'whole', bytes: million, format: 'zstd' });
  const manifest = await readManifest(linux.rawManifest, linux.key);
  expect(manifest.gid_manifest).toBe(linux.manifestId);
  expect(manifest.depot_id).toBe(linux.depotId);
  expect(manifest.cb_disk_original).toBe(String(linux.sizeOnDisk));
  expect(manifest.unique_chunks).toBe(linux.chunkIds.length);
  expect(manifest.files.map((file) => file.filename)).toEqual(linux.files.map((file) => file.name));
  for (const [index, told] of manifest.files.entries()) {
    const file = linux.files[index];
    if (file?.kind === 'directory') expect(told.flags).toBe(64);
    if (file?.kind === 'symlink') {
      expect(told.flags).toBe(512);
      const target = steamCrypto.symmetricDecrypt(Buffer.from(told.linktarget ?? '', 'base64'), linux.key);
      expect(target.toString()).toBe(`${file.target}\0`);
    }
    if (file?.kind !== 'file') continue;
    expect(told.flags).toBe(file.executable === true ? 32 : 0);
    const parts: Buffer[] = [];
    for (const chunk of told.chunks) {
      const served = linux.chunk(chunk.sha);
      if (served === undefined) throw new Error(`no chunk ${chunk.sha}`);
      expect(served.length).toBe(chunk.cb_compressed);
      const plain = await cdnCompression.unzip(steamCrypto.symmetricDecrypt(served, linux.key));
      expect(createHash('sha1').update(plain).digest('hex')).toBe(chunk.sha);
      expect([adlerFromZero(plain), plain.length]).toEqual([chunk.crc, chunk.cb_original]);
      parts.push(plain);
    }
    const whole = Buffer.concat(parts);
    const content = contentOf(file.content);
    expect(whole.equals(content.read(0, content.size))).toBe(true);
    const sha = whole.length === 0 ? '0'.repeat(40) : createHash('sha1').update(whole).digest('hex');
    expect(told.sha_content).toBe(sha);
  }
});

test('files over one chunk are cut at each mebibyte, and their pieces can be read alone', () => {
  const { linux } = buildGame({ seed: 'large', bytes: 8 * million, format: 'zstd' });
  const bank = linux.files.find((file) => file.name.endsWith('Wave Bank.xwb'));
  if (bank?.kind !== 'file') throw new Error('no wave bank');
  const content = contentOf(bank.content);
  const whole = content.read(0, content.size);
  expect(content.read(1_000_003, 70_001).equals(whole.subarray(1_000_003, 1_070_004))).toBe(true);
  expect(linux.chunkIds).toContain(
    createHash('sha1')
      .update(whole.subarray(0, 1 << 20))
      .digest('hex'),
  );
});

test('the same seed gives the same bytes, another seed others', () => {
  const plan = { seed: 'again', bytes: 300_000, format: 'mixed' } as const;
  const [first, second] = [buildGame(plan).linux, buildGame(plan).linux];
  expect(second.rawManifest.equals(first.rawManifest)).toBe(true);
  for (const id of first.chunkIds) expect(second.chunk(id)).toEqual(first.chunk(id));
  expect(buildGame({ ...plan, seed: 'other' }).linux.manifestId).not.toBe(first.manifestId);
});

const sizes = count({ small: 12, long: 60 });

describe.each([1, 4, sizes])('at %i MB', (megabytes) => {
  const { linux } = buildGame({ seed: 'scale', bytes: megabytes * million, format: 'zstd' });

  test('the whole has the size that was asked for', () => {
    expect(linux.sizeOnDisk / (megabytes * million)).toBeGreaterThan(0.97);
    expect(linux.sizeOnDisk / (megabytes * million)).toBeLessThan(1.05);
  });

  test('wave banks, languages and large fonts have the parts that they have in the real game', () => {
    const part = (fits: (name: string) => boolean) =>
      (bytesWhere(linux, fits) * 1500) / (megabytes * million);
    expect(part((name) => name === 'Content/XACT/Wave Bank.xwb')).toBeCloseTo(370, -1);
    expect(part((name) => name === 'Content/XACT/Wave Bank(1.4).xwb')).toBeCloseTo(370, -1);
    expect(part((name) => /\.[a-z]{2}-[A-Z]{2}\.xnb$/.test(name))).toBeCloseTo(50, -1);
    const kept = part(
      (name) => !/XACT\/Wave|\.[a-z]{2}-[A-Z]{2}\.xnb$|Fonts\/(Chinese|Japanese|Korean)/.test(name),
    );
    expect(kept).toBeGreaterThan(550);
    expect(kept).toBeLessThan(650);
  });

  test('no name is there twice, and every kind of file is there', () => {
    const all = names(linux);
    expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(all.length);
    for (const code of languageCodes) expect(all.some((name) => name.endsWith(`.${code}.xnb`))).toBe(true);
    for (const script of ['Chinese', 'Japanese', 'Korean'])
      expect(all).toContain(`Content/Fonts/${script}.xnb`);
    expect(linux.files.some((file) => file.name.includes('\\'))).toBe(true);
    for (const kind of ['directory', 'symlink'])
      expect(linux.files.some((file) => file.kind === kind)).toBe(true);
    expect(linux.files.some((file) => file.kind === 'file' && file.executable === true)).toBe(true);
    expect(linux.files.some((file) => file.kind === 'file' && contentOf(file.content).size === 0)).toBe(true);
  });
});

test('the content hashes list files that are there', () => {
  const { linux } = buildGame({ seed: 'hashes', bytes: million, format: 'zstd' });
  const file = linux.files.find(({ name }) => name === 'Content/ContentHashes.json');
  if (file?.kind !== 'file') throw new Error('no content hashes');
  const content = contentOf(file.content);
  const listed = Object.keys(JSON.parse(content.read(0, content.size).toString()));
  expect(listed).toContain('XACT/Wave Bank.xwb');
  for (const name of listed) expect(names(linux)).toContain(`Content/${name}`);
});

test('an update changes, adds and removes files, and keeps most chunks and the key', () => {
  const plan = { seed: 'update', bytes: 6 * million, format: 'zstd' } as const;
  const before = buildGame({ ...plan, version: 1 }).linux;
  const after = buildGame({ ...plan, version: 2 }).linux;
  expect(after.key).toEqual(before.key);
  expect(after.manifestId).not.toBe(before.manifestId);
  const [old, now] = [new Set(names(before)), new Set(names(after))];
  expect([...now].filter((name) => !old.has(name)).length).toBeGreaterThan(0);
  expect([...old].filter((name) => !now.has(name)).length).toBeGreaterThan(0);
  const known = new Set(before.chunkIds);
  const same = after.chunkIds.filter((id) => known.has(id)).length / after.chunkIds.length;
  expect(same).toBeGreaterThan(0.75);
  expect(same).toBeLessThan(1);
});

test('depots tell for whom they are', () => {
  const { windows, linux, linux32, common, desktop, german } = buildGame({
    seed: 'who',
    bytes: million,
    format: 'zstd',
  });
  expect([windows.osList, linux.osList, desktop.osList]).toEqual(['windows', 'linux', 'windows,linux']);
  expect([linux32.osArch, german.language, common.osList]).toEqual(['32', 'german', undefined]);
  expect(names(buildSdk('who'))).toContain('linux64/steamclient.so');
});

test('a library asks for an executable stack in its ELF header', () => {
  const { linux } = buildGame({ seed: 'elf', bytes: million, format: 'zstd' });
  const file = linux.files.find(({ name }) => name === 'libGalaxy64.so');
  if (file?.kind !== 'file') throw new Error('no library');
  const header = contentOf(file.content).read(0, 120);
  expect(header.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
  expect([header.readUInt32LE(64), header.readUInt32LE(68)]).toEqual([0x6474e551, 7]);
});

describe('chunks kept in a store', () => {
  test('are those that would have been made, and are made only once', () => {
    using directory = temporaryDirectory();
    const files = [{ kind: 'file', name: 'a', content: Buffer.alloc(3000, 'text') }] as const;
    const plan = { depotId: 7, name: 'kept', format: 'vz' } as const;
    const made = makeDepot(plan, files);
    for (const store of [chunksInMemory(), chunksInDirectory(directory.path)]) {
      const kept = makeDepot({ ...plan, chunkStore: store }, files);
      const [id = ''] = kept.chunkIds;
      expect(store.get(id)).toEqual(made.chunk(id));
      store.put(id, Buffer.from('from the store'));
      expect(kept.chunk(id)?.toString()).toBe('from the store');
    }
  });

  test('are not there for an unknown id', () => {
    expect(makeDepot({ depotId: 7, name: 'empty' }, []).chunk('0'.repeat(40))).toBeUndefined();
  });
});

test('every hostile manifest is one that the library reads, and holds an innocent file beside its danger', async () => {
  const depots = hostileDepots(99);
  expect(depots.size).toBeGreaterThan(40);
  for (const [danger, depot] of depots) {
    const manifest = await readManifest(depot.rawManifest, depot.key);
    expect(
      manifest.files.map((file) => file.filename),
      danger,
    ).toContain(innocentName);
    expect(manifest.files.length, danger).toBeGreaterThan(1);
  }
  const exabyte = depots.get('size of an exabyte');
  if (exabyte === undefined) throw new Error('that danger is gone');
  const { files } = await readManifest(exabyte.rawManifest, exabyte.key);
  expect(files[0]?.size).toBe(String(1n << 60n));
});
