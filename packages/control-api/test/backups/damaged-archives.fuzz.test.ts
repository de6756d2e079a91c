import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ArchiveError } from '../../src/backups/archive/archivist.ts';
import { pack } from '../../src/backups/archive/pack.ts';
import { readArchive, readManifest } from '../../src/backups/archive/read.ts';
import { unpack } from '../../src/backups/archive/unpack.ts';
import { about, archiveName, file, forge, inTar, manifestOf } from './stage/archives.ts';

/** What is said of it: nothing but an ArchiveError, and never that it is whole. */
async function verdictOn(path: string): Promise<string> {
  return withstandAsync(() =>
    readArchive(path).then(
      () => 'whole',
      (error: unknown) => (error instanceof ArchiveError ? error.kind : `not told: ${String(error)}`),
    ),
  );
}

async function sample(directory: string): Promise<Buffer> {
  mkdirSync(join(directory, 'saves'));
  writeFileSync(join(directory, 'saves/Farm_1'), '<SaveGame><year>1</year></SaveGame>');
  const to = join(directory, archiveName);
  await pack(
    { to, sources: [{ into: 'saves', path: join(directory, 'saves') }], about },
    join(directory, 'part'),
  );
  return readFileSync(to);
}

it('finds every byte that is another one, is missing or was put in, wherever it is', {
  timeout: 3_600_000,
}, async () => {
  using directory = temporaryDirectory();
  const whole = await sample(directory.path);
  const path = join(directory.path, 'damaged');
  const verdicts = new Map<string, number>();
  const step = count({ small: 3, long: 1 });
  for (let at = 0; at < whole.length; at += step) {
    const other = Buffer.from(whole);
    other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
    const [before, after] = [whole.subarray(0, at), whole.subarray(at)];
    const removed = Buffer.concat([before, after.subarray(1)]);
    const inserted = Buffer.concat([before, Buffer.of(after[0] === 0 ? 1 : 0), after]);
    for (const bytes of [other, removed, inserted, before]) {
      writeFileSync(path, bytes);
      const verdict = await verdictOn(path);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    }
  }
  expect([...verdicts.keys()]).toEqual(['damaged']);
});

it('says of what was damaged in several places, and of garbage, that it is, and comes back soon', {
  timeout: 3_600_000,
}, async () => {
  using directory = temporaryDirectory();
  const whole = await sample(directory.path);
  const path = join(directory.path, 'damaged');
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged(fc.constant(whole)), garbage(4_000)), async (bytes) => {
      fc.pre(!bytes.equals(whole));
      writeFileSync(path, bytes);
      expect(await verdictOn(path)).toBe('damaged');
      await readManifest(path).catch((error: unknown) => expect(error).toBeInstanceOf(ArchiveError));
    }),
    { numRuns: count({ small: 120, long: 50_000 }) },
  );
});

// Who knows the format can make the hash right: then what is inside has to be found out.
it('withstands archives whose hash is right, and whose tar, manifest or frames were damaged', {
  timeout: 3_600_000,
}, async () => {
  using directory = temporaryDirectory();
  const entries = [file('saves', 'a farm')];
  const tar = Buffer.concat([inTar(file('saves', 'a farm'), 'a farm'), Buffer.alloc(1_024)]);
  const manifest = Buffer.from(JSON.stringify(manifestOf(entries)));
  expect(await verdictOn(forge(directory.path, { manifest: manifestOf(entries), body: tar }))).toBe('whole');
  const parts = fc.oneof(
    damaged(fc.constant(tar)).map((body) => ({ manifest: manifestOf(entries), body })),
    damaged(fc.constant(manifest)).map((text) => ({ manifest: text.toString(), body: tar })),
    fc
      .oneof(damaged(fc.constant(tar)), garbage())
      .map((bytes) => ({ manifest: manifestOf(entries), frames: [bytes] })),
  );
  await fc.assert(
    fc.asyncProperty(parts, async (hostile) => {
      const path = forge(directory.path, hostile);
      const verdict = await verdictOn(path);
      // A note, a time or a name that is another one makes another archive, and no damaged one, where both places have it.
      expect(['damaged', 'newer', 'whole']).toContain(verdict);
      if (verdict === 'whole') expect(hostile).not.toHaveProperty('frames');
      const target = mkdtempSync(join(directory.path, 'to-'));
      await unpack(path, { saves: join(target, 'saves') }).catch(() => {});
      expect(readdirSync(target).filter((name) => name !== 'saves')).toEqual([]);
    }),
    { numRuns: count({ small: 120, long: 50_000 }) },
  );
});
