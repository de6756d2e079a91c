import { fileFlags, type ManifestChunk, type ManifestEntry } from '../manifest/manifest-entry.ts';

/** Names that must never reach a file system as they stand. */
export const hostileNames = {
  'parent directory': '../outside.txt',
  'parent directory further in': 'Content/../../outside.txt',
  'parent directory with backslashes': 'Content\\..\\..\\outside.txt',
  'absolute path': '/tmp/outside.txt',
  'absolute path with a backslash': '\\outside.txt',
  'network share': '\\\\server\\share\\outside.txt',
  'drive letter': 'C:\\outside.txt',
  'drive letter without separator': 'C:outside.txt',
  'NUL in the name': 'Content/inno\0cent.txt',
  'reserved device': 'Content/CON',
  'reserved device with extension': 'nul.txt',
  'alternate stream': 'innocent.txt:hidden',
  'only a dot': '.',
  'empty name': '',
  'empty component': 'Content//outside.txt',
  'trailing space and dot': 'Content/innocent.txt. ',
  'overlong component': `${'n'.repeat(300)}.txt`,
  'overlong path': `${'Content/'.repeat(700)}x.txt`,
  'control characters': 'Content/\u001b[2Jline\nbreak.txt',
  'line separator': 'Content/line\u2028break.txt',
} as const;

/** Links whose target leads out of the tree, or round in a circle. */
export const hostileLinks = {
  'link to an absolute path': { name: 'link', target: '/etc/passwd' },
  'link to the parent directory': { name: 'Content/link', target: '../../outside' },
  'link with backslashes': { name: 'link', target: '..\\outside' },
  'link to itself': { name: 'link', target: 'link' },
  'link with an empty target': { name: 'link', target: '' },
} as const;

/** Ways in which a manifest lies about a file that is really there. */
export const hostileDistortions: Record<string, (entry: ManifestEntry) => ManifestEntry> = {
  'size of an exabyte': (entry) => ({ ...entry, size: 1n << 60n }),
  'size of the largest number': (entry) => ({ ...entry, size: (1n << 64n) - 1n }),
  'size smaller than its chunks': (entry) => ({ ...entry, size: 1n }),
  'no chunks for its size': (entry) => ({ ...entry, chunks: [] }),
  'chunk beyond the end': (entry) => withChunk(entry, (chunk) => ({ ...chunk, offset: entry.size })),
  'chunk at the largest offset': (entry) =>
    withChunk(entry, (chunk) => ({ ...chunk, offset: (1n << 64n) - 1n })),
  'overlapping chunks': (entry) => ({ ...entry, chunks: entry.chunks.flatMap((chunk) => [chunk, chunk]) }),
  'chunk that swells to 4 GiB': (entry) => withChunk(entry, (chunk) => ({ ...chunk, size: 0xffffffff })),
  'chunk that weighs 4 GiB': (entry) => withChunk(entry, (chunk) => ({ ...chunk, servedSize: 0xffffffff })),
  'chunk that is larger than told': (entry) => withChunk(entry, (chunk) => ({ ...chunk, size: 1 })),
  'chunk of no bytes': (entry) => withChunk(entry, (chunk) => ({ ...chunk, size: 0 })),
  'chunk with a wrong hash': (entry) => withChunk(entry, (chunk) => ({ ...chunk, sha: Buffer.alloc(20, 7) })),
  'chunk with a short hash': (entry) => withChunk(entry, (chunk) => ({ ...chunk, sha: Buffer.alloc(3, 7) })),
  'chunk with a wrong Adler': (entry) => withChunk(entry, (chunk) => ({ ...chunk, adler: chunk.adler ^ 1 })),
  'file with a wrong hash': (entry) => ({ ...entry, contentSha: Buffer.alloc(20, 7) }),
  'directory with content': (entry) => ({ ...entry, flags: fileFlags.directory }),
  'link and directory at once': (entry) => ({ ...entry, flags: fileFlags.directory | fileFlags.symlink }),
};

function withChunk(entry: ManifestEntry, change: (chunk: ManifestChunk) => ManifestChunk): ManifestEntry {
  return { ...entry, chunks: entry.chunks.map(change) };
}
