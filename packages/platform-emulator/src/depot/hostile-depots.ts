import type { Depot, DepotFile } from './depot.ts';
import { makeDepot } from './make-depot.ts';
import { fileFlags, type ManifestChunk, type ManifestEntry } from './manifest.ts';

export const innocentName = 'innocent.txt';
const distortedName = 'distorted.bin';
const innocent: DepotFile = { kind: 'file', name: innocentName, content: Buffer.from('as it should be\n') };
const payload = Buffer.from('this must not get out\n');

/** One depot per danger, by what is wrong with it. Each also holds an innocent file, to see what becomes of it. */
export function hostileDepots(depotId: number): ReadonlyMap<string, Depot> {
  const depot = (danger: string, files: DepotFile[]) =>
    makeDepot({ depotId, name: danger, osList: 'linux', format: 'zip' }, [...files, innocent]);
  const file = (name: string): DepotFile => ({ kind: 'file', name, content: payload });
  const depots = new Map<string, Depot>();
  for (const [danger, name] of Object.entries(hostileNames)) depots.set(danger, depot(danger, [file(name)]));
  for (const [danger, { name, target }] of Object.entries(hostileLinks)) {
    depots.set(danger, depot(danger, [{ kind: 'symlink', name, target }]));
  }
  for (const [danger, files] of Object.entries(collisions(file))) depots.set(danger, depot(danger, files));
  for (const [danger, distortion] of Object.entries(hostileDistortions)) {
    const files = [file(distortedName), innocent];
    const distort = ([first, ...rest]: ManifestEntry[]) =>
      first === undefined ? rest : [distortion(first), ...rest];
    depots.set(danger, makeDepot({ depotId, name: danger, osList: 'linux', format: 'zip', distort }, files));
  }
  return depots;
}

/** Entries that are harmless one by one and not together. */
function collisions(file: (name: string) => DepotFile): Record<string, DepotFile[]> {
  return {
    'names that differ in case': [file('Content/Readme.txt'), file('content/README.TXT')],
    'names that differ in Unicode form': [file('caf\u00e9.txt'), file('cafe\u0301.txt')],
    'the same name twice': [file('twice.txt'), file('twice.txt')],
    'the same name with either separator': [file('Content/twice.txt'), file('Content\\twice.txt')],
    'file under a file': [file('parent'), file('parent/child.txt')],
    'file under a link': [{ kind: 'symlink', name: 'out', target: '..' }, file('out/outside.txt')],
    'chain of links that leads out': [
      { kind: 'directory', name: 'a' },
      { kind: 'symlink', name: 'a/b', target: '..' },
      { kind: 'symlink', name: 'c', target: 'a/b/..' },
    ],
  };
}

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
  'marks of direction': '../\u202egnp.\u2066exe',
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
