import { copyFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { readTrailer, trailerBytes } from '../../src/backups/archive/file-frames.ts';
import { pack } from '../../src/backups/archive/pack.ts';
import { readArchive } from '../../src/backups/archive/read.ts';
import { about, archiveName } from './stage/archives.ts';

/** An archive of a farm that hardly gets smaller. */
async function stage(bytes: number) {
  const directory = temporaryDirectory();
  const random = seededRandom(seed);
  mkdirSync(join(directory.path, 'saves'));
  writeFileSync(
    join(directory.path, 'saves/Farm_1'),
    Buffer.from(Array.from({ length: bytes }, () => random() * 256)),
  );
  const path = join(directory.path, archiveName);
  const sources = [{ into: 'saves', path: join(directory.path, 'saves') }];
  const { manifest } = await pack({ to: path, sources, about }, join(directory.path, 'part'));
  return { path, manifest, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

it('finds in an archive that still grows every byte that is another one', { timeout: 600_000 }, async () => {
  using archive = await stage(2_000);
  const whole = readFileSync(archive.path);
  const frame = readTrailer(whole.subarray(-trailerBytes))?.frame ?? 0;
  const bodyEnd = whole.length - trailerBytes;
  const extent = { frame, readableFrom: async (at: number) => Math.min(at + 100, bodyEnd) };
  const growing = { manifest: archive.manifest, extent };
  expect(await readArchive(archive.path, undefined, growing)).toBe(archive.manifest);
  const step = count({ small: 23, long: 1 });
  for (let at = 0; at < whole.length; at += step) {
    const other = Buffer.from(whole);
    other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(archive.path, other);
    await expect(readArchive(archive.path, undefined, growing)).rejects.toMatchObject({ kind: 'damaged' });
  }
});

it('comes to an end where an archive gets shorter while it is read', async () => {
  using archive = await stage(3_000_000);
  const reading = readArchive(archive.path);
  truncateSync(archive.path, 500_000);
  await expect(reading).rejects.toMatchObject({ kind: 'damaged' });
});

it('copies again what changes without its times telling it, as a file does that is mapped into memory', async () => {
  using directory = temporaryDirectory();
  const at = (name: string) => join(directory.path, name);
  using database = new DatabaseSync(at('game.db'));
  database.exec('PRAGMA journal_mode = wal; CREATE TABLE night (day INTEGER); INSERT INTO night VALUES (1)');
  const mapped = at('game.db-shm');
  const job = { to: at(archiveName), sources: [{ into: 'saves', path: mapped }], about };
  copyFileSync(mapped, at('before'));
  const packing = pack(job, at('part'));
  // It has been hashed, and nothing of it compressed yet.
  database.exec('INSERT INTO night VALUES (2)');
  expect(readFileSync(mapped).equals(readFileSync(at('before')))).toBe(false);
  await expect(packing).rejects.toMatchObject({ kind: 'changed' });
  expect(existsSync(job.to)).toBe(false);
});
