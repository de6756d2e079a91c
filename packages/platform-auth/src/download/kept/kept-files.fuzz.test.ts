import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { damaged } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Places } from '../names/places.ts';
import { readInstalled } from './installed.ts';
import { printMarker, readMarker } from './marker.ts';

const runs = { numRuns: count({ small: 200, long: 50_000 }) };
const sha1 = 'a'.repeat(40);

function textsNear(sample: object): fc.Arbitrary<Buffer> {
  const near = hostileJson(sample).map((text) => Buffer.from(text));
  return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: damaged(near) });
}

const marker = textsNear({
  version: 1,
  languages: ['de-DE'],
  keepFiles: [],
  filterVersion: 1,
  totalFiles: 1,
  totalBytes: 9,
  apps: [{ appId: 413150, depots: [{ depotId: 413153, manifestId: '9223372036854775807' }] }],
  downloadedAt: '2026-11-21T06:30:00.000Z',
});
const installed = textsNear({
  version: 1,
  files: {
    'Content/a.xnb': {
      contentKey: 'k',
      executable: false,
      chunks: [[sha1, 0]],
      size: 9,
      modifiedMs: 1.5,
      changed: { how: 'content-hashes-pruned', bytes: 5, sha1 },
    },
  },
  links: { 'lib/current': '../Content' },
  directories: ['Content'],
});

it('a hostile marker is none, or says what can be written again', { timeout: 3_600_000 }, async () => {
  using directory = temporaryDirectory();
  const places = new Places(directory.path);
  mkdirSync(dirname(places.marker), { recursive: true });
  let understood = 0;
  await fc.assert(
    fc.asyncProperty(marker, async (bytes) => {
      writeFileSync(places.marker, bytes);
      const read = await withstandAsync(() => readMarker(places));
      if (read === undefined) return;
      expect(typeof printMarker(read)).toBe('string');
      understood += 1;
    }),
    runs,
  );
  expect(understood).toBeGreaterThan(0);
});

it('a hostile record of what is installed is none, or one of the form', { timeout: 3_600_000 }, async () => {
  using directory = temporaryDirectory();
  const places = new Places(directory.path);
  mkdirSync(dirname(places.record), { recursive: true });
  await fc.assert(
    fc.asyncProperty(installed, async (bytes) => {
      writeFileSync(places.record, bytes);
      const { files, directories } = await withstandAsync(() => readInstalled(places));
      expect(Array.isArray(directories)).toBe(true);
      for (const { chunks, size } of Object.values(files)) {
        expect(size).toSatisfy(Number.isSafeInteger);
        expect(Array.isArray(chunks)).toBe(true);
      }
    }),
    runs,
  );
});
