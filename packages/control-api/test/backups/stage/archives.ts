import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type { PackJob } from '../../../src/backups/archive/archivist.ts';
import { compression, trailerStart } from '../../../src/backups/archive/file-frames.ts';
import type { ArchiveEntry, Manifest } from '../../../src/backups/archive/manifest.ts';
import { endOfTar, headOf, manifestHead, paddingOf } from '../../../src/backups/archive/tar-entry.ts';

export const about: PackJob['about'] = {
  id: '20261122T190000Z-3f9a7c',
  madeAt: '2026-11-22T19:00:00.000Z',
  madeBy: '0.1.0',
  why: 'asked',
  keep: false,
  farm: {},
  parts: ['saves'],
  all: false,
};

export const archiveName = `${about.id}.steward.tar.zst`;

export const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

const common = { mode: 0o644, modifiedAt: '1795287000000000' };

export const folder = (path: string): ArchiveEntry => ({ kind: 'folder', ...common, path });

export const file = (path: string, content: string): ArchiveEntry => ({
  kind: 'file',
  ...common,
  path,
  bytes: Buffer.byteLength(content),
  sha256: sha256(Buffer.from(content)),
});

export function manifestOf(entries: readonly ArchiveEntry[], more: object = {}): Manifest {
  return { steward: 'backup', format: 1, ...about, leftOut: [], entries: [...entries], ...more };
}

/** What of a tar stands for an entry. */
export function inTar(entry: ArchiveEntry, content = ''): Buffer {
  return Buffer.concat([headOf(entry), Buffer.from(content), paddingOf(Buffer.byteLength(content))]);
}

/** An archive as somebody could make it who knows the format: whatever it says, its hashes are right. */
export function forge(
  directory: string,
  parts: {
    readonly manifest: Manifest | string;
    readonly body?: Buffer;
    readonly frames?: readonly Buffer[];
  },
): string {
  const json = Buffer.from(
    typeof parts.manifest === 'string' ? parts.manifest : JSON.stringify(parts.manifest),
  );
  const first = zstdCompressSync(
    Buffer.concat([manifestHead(about.madeAt, json.length), json, paddingOf(json.length)]),
    compression,
  );
  const frames = parts.frames ?? [zstdCompressSync(parts.body ?? endOfTar, compression)];
  const hashed = Buffer.concat([first, ...frames, trailerStart(first.length)]);
  const path = join(directory, archiveName);
  writeFileSync(path, Buffer.concat([hashed, createHash('sha256').update(hashed).digest()]));
  return path;
}
