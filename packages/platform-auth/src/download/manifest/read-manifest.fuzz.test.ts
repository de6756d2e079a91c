import { zipOne } from '@steward/platform-emulator/depot/chunk/chunk-format';
import { encryptSymmetric } from '@steward/platform-emulator/depot/chunk/symmetric-cipher';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { anyText } from '@steward/testing/hostile/text';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentError } from '../problems/problem.ts';
import type { DepotManifest } from './manifest.ts';
import { readManifest } from './read-manifest.ts';

const depotId = 11;
const key = Buffer.alloc(32, 7);
const manifestId = '7';
const runs = { numRuns: count({ small: 300, long: 50_000 }) };

const { rawManifest } = makeDepot({ depotId, name: 'small', format: 'zip', clearNames: true }, [
  { kind: 'directory', name: 'Content' },
  { kind: 'file', name: 'Content\\a.xnb', content: Buffer.alloc(1_200_000, 'farm') },
  { kind: 'file', name: 'Farm Game', content: Buffer.from('#!/bin/sh'), executable: true },
  { kind: 'symlink', name: 'lib/current', target: '..\\Content' },
]);

/** Read, or refused as content; whatever is read keeps what its limits promise. */
async function read(archive: Buffer): Promise<DepotManifest | undefined> {
  try {
    return await withstandAsync(() => readManifest(archive, { appId: 1, depotId, manifestId }, key));
  } catch (error) {
    expect(error).toBeInstanceOf(ContentError);
    return undefined;
  }
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}

/** A field whose value is bytes. */
function field(number: number, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(body.length)]), body]);
}

/** An archive without checksums, so that what is in it is looked at. */
function manifest(list: Uint8Array, { encrypted = false, metadata = Buffer.alloc(0) } = {}): Buffer {
  const part = (magic: number, body: Uint8Array) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(magic);
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const says = Buffer.from([0x08, depotId, 0x10, Number(manifestId), 0x20, encrypted ? 1 : 0]);
  return zipOne(Buffer.concat([part(0x71f617d0, list), part(0x1f4812be, Buffer.concat([says, metadata]))]));
}

const sha = Buffer.alloc(20, 1);
const piece = Buffer.concat([field(1, sha), Buffer.from([0x18, 0, 0x20, 9, 0x28, 32])]);
const file = Buffer.concat([
  field(1, Buffer.from('Content\\a.xnb')),
  Buffer.from([0x10, 9, 0x18, 32]),
  field(5, sha),
  field(6, piece),
]);

it('a hostile archive is a manifest or refused', { timeout: 3_600_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.oneof(damaged(fc.constant(rawManifest)), garbage()), async (archive) => {
      await read(archive);
    }),
    runs,
  ),
);

it('a hostile list of files in a sound archive has sizes that are numbers, or is refused', {
  timeout: 3_600_000,
}, () => {
  const list = fc.oneof(
    damaged(fc.constantFrom(field(1, file), Buffer.concat([field(1, file), field(1, file)]))),
    damaged(fc.constant(file)).map((each) => field(1, each)),
    damaged(fc.constant(piece)).map((each) => field(1, field(6, each))),
  );
  return fc.assert(
    fc.asyncProperty(list, garbage(20), async (bytes, metadata) => {
      for (const { name, bytes: size, chunks, sha1 } of (await read(manifest(bytes, { metadata })))?.files ??
        []) {
        expect(typeof name).toBe('string');
        expect(sha1 ?? '0'.repeat(40)).toMatch(/^[0-9a-f]{40}$/);
        for (const number of [size, ...chunks.flatMap((each) => [each.offset, each.bytes, each.storedBytes])])
          expect(number).toSatisfy((given) => Number.isSafeInteger(given) && Number(given) >= 0);
      }
    }),
    runs,
  );
});

it('hostile encrypted names are names or refused', { timeout: 3_600_000 }, () => {
  const name = fc.oneof(
    anyText().map((text) => Buffer.from(encryptSymmetric(Buffer.from(`${text}\0`), key).toString('base64'))),
    damaged(
      fc.constant(Buffer.from(encryptSymmetric(Buffer.from('Content\\a.xnb\0'), key).toString('base64'))),
    ),
    garbage(100),
  );
  return fc.assert(
    fc.asyncProperty(name, async (bytes) => {
      const list = field(1, field(1, bytes));
      for (const each of (await read(manifest(list, { encrypted: true })))?.files ?? [])
        expect(each.name.isWellFormed()).toBe(true);
    }),
    runs,
  );
});

describe('a manifest of kilobytes does not become gigabytes', () => {
  const megabytes = 8 * 1024 * 1024;
  const filled = (unit: Uint8Array) => Buffer.alloc(Math.floor(megabytes / unit.length) * unit.length, unit);
  const distinct = Buffer.concat(
    Array.from({ length: 1_000_000 }, (_, index) => Buffer.from([...varint((index + 100) * 8), 1])),
  );
  it.each([
    ['files', filled(field(1, Buffer.alloc(0)))],
    ['pieces of one file', field(1, filled(field(6, piece)))],
    ['pieces of many files', filled(field(1, Buffer.concat(Array<Buffer>(50).fill(field(6, piece)))))],
  ])('is refused for millions of %s', async (_what, list) => {
    await expect(readManifest(manifest(list), { appId: 1, depotId, manifestId }, key)).rejects.toThrow(
      /lists more than 1?\d+ (files|pieces)|too many pieces/,
    );
  });

  it.each([
    ['its list', manifest(field(1, distinct))],
    ['what it says of itself', manifest(Buffer.alloc(0), { metadata: distinct })],
  ])('keeps nothing of a million unknown fields in %s', async (_where, archive) => {
    const before = process.memoryUsage();
    await read(archive);
    const after = process.memoryUsage();
    expect(after.heapUsed - before.heapUsed).toBeLessThan(200 * 1024 * 1024);
  });
});
