import { createHash } from 'node:crypto';
import { zipOne } from '@steward/platform-emulator/depot/chunk/chunk-format';
import type { Depot, DepotFile } from '@steward/platform-emulator/depot/depot';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { encodeManifest, type ManifestEntry } from '@steward/platform-emulator/depot/manifest';
import { anyText } from '@steward/testing/hostile/text';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentError } from '../problems/problem.ts';
import { readManifest } from './read-manifest.ts';

const depotId = 11;
const files: DepotFile[] = [
  { kind: 'directory', name: 'Content' },
  { kind: 'file', name: 'Content\\Data\\file.xnb', content: Buffer.alloc(1_500_000, 'farm') },
  { kind: 'file', name: 'Farm Game', content: Buffer.from('#!/bin/sh'), executable: true },
  { kind: 'file', name: 'empty ütf-8 ☃', content: Buffer.alloc(0) },
  { kind: 'symlink', name: 'lib/current', target: '..\\Content' },
];

function depot(plan: { clearNames?: boolean } = {}): Depot {
  return makeDepot({ depotId, name: 'small', format: 'zip', ...plan }, files);
}

function read(archive: Buffer, { manifestId, key }: Depot, changes: { key?: Buffer; depotId?: number } = {}) {
  const identity = { appId: 1, depotId: changes.depotId ?? depotId, manifestId };
  return readManifest(archive, identity, changes.key ?? key);
}

describe.each([
  ['encrypted names', false],
  ['names in the clear', true],
])('a manifest with %s', (_name, clearNames) => {
  it('tells of files, directories and links', async () => {
    const made = depot({ clearNames });
    const { files: told } = await read(made.rawManifest, made);
    expect(
      told.map(({ name, kind, executable, bytes, linkTarget }) => [
        name,
        kind,
        executable,
        bytes,
        linkTarget,
      ]),
    ).toEqual([
      ['Content', 'directory', false, 0, undefined],
      ['Content/Data/file.xnb', 'file', false, 1_500_000, undefined],
      ['Farm Game', 'file', true, 9, undefined],
      ['empty ütf-8 ☃', 'file', false, 0, undefined],
      ['lib/current', 'link', false, 0, '../Content'],
    ]);
    expect(told[1]?.chunks.map(({ offset, bytes }) => [offset, bytes])).toEqual([
      [0, 1_048_576],
      [1_048_576, 451_424],
    ]);
    expect(told[2]?.sha1).toBe(createHash('sha1').update('#!/bin/sh').digest('hex'));
    expect(told[3]?.sha1).toBeUndefined();
  });
});

it.each([
  ['under another key', { key: Buffer.alloc(32, 7) }],
  ['of another depot', { depotId: 12 }],
])('refuses a manifest %s', async (_what, changes) => {
  const made = depot();
  await expect(read(made.rawManifest, made, changes)).rejects.toBeInstanceOf(ContentError);
});

/** Either it is read, or it is refused; nothing else may come out, and nothing may take long. */
async function isReadOrRefused(archive: Buffer, made: Depot): Promise<void> {
  try {
    await read(archive, made);
  } catch (error) {
    expect(error).toBeInstanceOf(ContentError);
  }
}

const runs = { numRuns: count({ small: 150, long: 20_000 }) };
/** Unzipped, and with checksums that hold: damage gets as far as it can. */
const sample = depot();

it('survives any damage to the archive', () =>
  fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.nat(), async (place, change, cut) => {
      const damaged = Buffer.from(sample.rawManifest);
      damaged[place % damaged.length] = (damaged[place % damaged.length] ?? 0) ^ change;
      await isReadOrRefused(damaged, sample);
      await isReadOrRefused(damaged.subarray(0, cut % damaged.length), sample);
    }),
    runs,
  ));

it('survives any bytes in the place of the list of files', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 60 }),
      async (list, head) => {
        await isReadOrRefused(zipOne(sections(Buffer.from(list), Buffer.from(head))), sample);
      },
    ),
    runs,
  ));

it('survives any numbers in a list of files that is well-formed otherwise', () => {
  const anySize = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
  const small = fc.bigInt({ min: 0n, max: 40n });
  const number = fc.oneof(small, small, anySize);
  const chunk = fc.record({
    sha: fc.uint8Array({ minLength: 19, maxLength: 21 }).map((bytes) => Buffer.from(bytes)),
    adler: fc.nat(),
    offset: number,
    size: number.map((value) => Number(value)),
    servedSize: number.map((value) => Number(value)),
  });
  const entry: fc.Arbitrary<ManifestEntry> = fc.record({
    name: anyText(),
    size: number,
    flags: fc.constantFrom(0, 32, 64, 512, 576),
    contentSha: fc.uint8Array({ maxLength: 21 }).map((bytes) => Buffer.from(bytes)),
    chunks: fc.array(chunk, { maxLength: 3 }),
    linkTarget: anyText(),
  });
  const head = { depotId, createdAt: 0, sizeOnDisk: 0, sizeToDownload: 0, uniqueChunks: 0 };
  return fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 4 }), async (entries) => {
      const { bytes, manifestId } = encodeManifest(head, entries);
      const told = await readManifest(zipOne(bytes), { appId: 1, depotId, manifestId }, sample.key).catch(
        (error) => {
          expect(error).toBeInstanceOf(ContentError);
          return { files: [] };
        },
      );
      for (const { chunks, bytes } of told.files) {
        expect(chunks).toEqual(chunks.toSorted((one, other) => one.offset - other.offset));
        for (const number of [
          bytes,
          ...chunks.flatMap((each) => [each.offset, each.bytes, each.storedBytes]),
        ])
          expect(number).toSatisfy(Number.isSafeInteger);
      }
    }),
    runs,
  );
});

it('refuses a manifest that swells, without taking the memory', async () => {
  const swelling = zipOne(Buffer.alloc(200 * 1024 * 1024));
  // Unpacked, it would be refused for what is in it.
  await expect(read(swelling, sample)).rejects.toThrow('cannot be unpacked');
});

function sections(list: Buffer, metadata: Buffer): Buffer {
  const section = (magic: number, body: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(magic);
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  // Depot and manifest as expected, so that the list is looked at.
  const identity = Buffer.from([0x08, depotId, 0x10, ...varint(BigInt(sample.manifestId))]);
  return Buffer.concat([section(0x71f617d0, list), section(0x1f4812be, Buffer.concat([identity, metadata]))]);
}

function varint(value: bigint): number[] {
  return value < 0x80n ? [Number(value)] : [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)];
}
