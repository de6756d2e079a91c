import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { archiveLimits } from '../../src/backups/archive/archive-format.ts';
import { readArchive, readManifest } from '../../src/backups/archive/read.ts';
import { endOfTar } from '../../src/backups/archive/tar-entry.ts';
import { unpack } from '../../src/backups/archive/unpack.ts';
import { file, folder, forge, inTar, manifestOf, sha256 } from './stage/archives.ts';
import { canMount, onOwnDisk } from './stage/own-disk.ts';

const saves = folder('saves');
const farm = file('saves/Farm_1', 'a farm');

const whole = {
  manifest: manifestOf([saves, farm]),
  body: Buffer.concat([inTar(saves), inTar(farm, 'a farm'), endOfTar]),
};

/** Of what is made wrong, the reasons that verify and unpack give; they agree, and nothing comes into the world beside the target. */
async function reasonsFor(parts: Parameters<typeof forge>[1]): Promise<string> {
  using directory = temporaryDirectory();
  const path = forge(directory.path, parts);
  mkdirSync(join(directory.path, 'world/target'), { recursive: true });
  const to = { saves: join(directory.path, 'world/target') };
  const [verified, unpacked] = await Promise.all(
    [readArchive(path), unpack(path, to)].map((reading) =>
      reading.then(
        () => 'nothing is wrong',
        (error: { kind: string; message: string }) => `${error.kind}: ${error.message}`,
      ),
    ),
  );
  expect(unpacked).toBe(verified);
  expect(readdirSync(join(directory.path, 'world'))).toEqual(['target']);
  return verified ?? '';
}

it('takes the one that all others here are made from', async () => {
  expect(await reasonsFor(whole)).toBe('nothing is wrong');
});

describe('a path that leads elsewhere is refused before anything is written:', () => {
  it.each([
    ['/etc/passwd', 'is no name'],
    ['saves/../../escaped', 'is no name'],
    ['../escaped', 'is no name'],
    ['saves/./Farm_1', 'is no name'],
    ['saves//Farm_1', 'is no name'],
    ['saves/', 'is no name'],
    ['saves/a\0b', 'control characters'],
    ['saves/a\nb', 'control characters'],
    ['saves/a\u009bb', 'control characters'],
    ['saves/..\\escaped', 'contains a slash'],
    ['C:/Windows', 'not in one of the known top folders'],
    ['Saves/Farm_1', 'not in one of the known top folders'],
    ['ｓaves/Farm_1', 'not in one of the known top folders'],
    ['saves/\ud800', 'is no UTF-8'],
    ['saves/Farm_1/below', 'is below a file'],
    ['saves/none/Farm_1', 'in a folder that does not exist'],
    ['saves/Farm_1', 'is in it twice'],
    ['saves', 'is in it twice'],
  ])('%j', async (path, reason) => {
    const entries = [saves, farm, file(path, 'x')];
    const body = Buffer.concat([
      ...entries.map((entry) => inTar(entry, entry.kind === 'file' ? 'x' : '')),
      endOfTar,
    ]);
    const told = await reasonsFor({ manifest: manifestOf(entries), body });
    expect(told).toContain('damaged: its manifest: ');
    expect(told).toContain(reason);
  });

  it('and names that only a careless reader finds in the prototype of an object', async () => {
    const entries = [folder('constructor'), folder('constructor/prototype')];
    const body = Buffer.concat([...entries.map((entry) => inTar(entry)), endOfTar]);
    expect(await reasonsFor({ manifest: manifestOf(entries), body })).toBe('nothing is wrong');
  });
});

/** The tar of the whole one with a changed field of an entry's last block, and its sum made right. */
function withField(at: number, value: string): Buffer {
  const head = Buffer.from(inTar(farm, 'a farm'));
  const block = head.subarray(1_024, 1_536);
  block.write(value, at, 'latin1');
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([inTar(saves), head, endOfTar]);
}

describe('a tar that is not what its manifest says is refused:', () => {
  it.each([
    ['a link', withField(156, '2')],
    ['a hard link', withField(156, '1')],
    ['a device', withField(156, '3')],
    ['a pipe', withField(156, '6')],
    ['a sparse file', withField(156, 'S')],
    ['a long name of GNU tar', withField(156, 'L')],
    ['another mode', withField(100, '0004755')],
    ['another size', withField(124, '00000000007')],
    ['another name', withField(0, '../../escaped')],
    ['another time', withField(136, '00000000001')],
    [
      'an entry more',
      Buffer.concat([inTar(saves), inTar(farm, 'a farm'), inTar(file('saves/b', 'b'), 'b'), endOfTar]),
    ],
    ['an entry less', Buffer.concat([inTar(saves), endOfTar])],
    ['another order', Buffer.concat([inTar(farm, 'a farm'), inTar(saves), endOfTar])],
    ['another content', Buffer.concat([inTar(saves), inTar(farm, 'a firm'), endOfTar])],
    [
      'a pax header that says another path',
      Buffer.concat([
        inTar(saves),
        Buffer.from(
          inTar(farm, 'a farm').toString('latin1').replace('path=saves/Farm_1', 'path=sav/../../a'),
          'latin1',
        ),
        endOfTar,
      ]),
    ],
    ['no end', Buffer.concat([inTar(saves), inTar(farm, 'a farm')])],
    ['more behind its end', Buffer.concat([whole.body, Buffer.alloc(512)])],
    ['a bomb behind its end', Buffer.concat([whole.body, Buffer.alloc(30_000_000)])],
    ['nothing', Buffer.alloc(0)],
  ])('%s', async (_what, body) => {
    expect(await reasonsFor({ manifest: whole.manifest, body })).toMatch(
      /^damaged: (at|saves|it (contains more|ends))/,
    );
  });

  it('frames beside the two, rubbish, and one that asks for much memory', async () => {
    const frame = zstdCompressSync(whole.body);
    const empty = zstdCompressSync(Buffer.alloc(0));
    for (const frames of [
      [frame.subarray(0, -1)],
      [Buffer.from('rubbish')],
      [],
      [Buffer.concat([Buffer.alloc(262_144 - (frame.length % 262_144)), frame])],
      [empty, frame],
    ])
      expect(await reasonsFor({ manifest: whole.manifest, frames })).toMatch(/^damaged: /);
  });
});

describe('a manifest is refused', () => {
  it.each([
    ['that is no JSON', '{', 'damaged: it is not a backup'],
    ['that is nothing', '', 'damaged: it is not a backup'],
    ['of something else', '{"steward":"something","format":1}', 'damaged: it is not a backup'],
    ['that is nested deeply', `${'['.repeat(1_000_000)}`, 'damaged: it is not a backup'],
    [
      'of a later format',
      JSON.stringify({ steward: 'backup', format: 2 }),
      'newer: a newer version of Steward made it',
    ],
    [
      'without what each has',
      JSON.stringify({ steward: 'backup', format: 1 }),
      'damaged: its manifest has a wrong',
    ],
    [
      'with a kind that is none',
      JSON.stringify(manifestOf([{ ...farm, kind: 'link' } as never])),
      'damaged: its manifest has a wrong entries.0',
    ],
    [
      'with a size below zero',
      JSON.stringify(manifestOf([{ ...farm, bytes: -1 } as never])),
      'damaged: its manifest has a wrong entries.0.bytes',
    ],
    [
      'with a time that is none',
      JSON.stringify(manifestOf([{ ...farm, modifiedAt: '9999999999999999' }])),
      'has no valid time',
    ],
    [
      'of a million files',
      JSON.stringify(
        manifestOf(Array.from({ length: archiveLimits.entries + 1 }, (_, n) => file(`saves/${n}`, ''))),
      ),
      `more than ${archiveLimits.entries} entries`,
    ],
    [
      'of more bytes than any farm has',
      JSON.stringify(
        manifestOf([
          saves,
          ...Array.from({ length: 5 }, (_, n) => ({
            ...farm,
            path: `saves/${n}`,
            bytes: archiveLimits.totalBytes / 4,
          })),
        ]),
      ),
      'bytes of files',
    ],
    [
      'that is larger than any',
      ' '.repeat(archiveLimits.manifestBytes * 3),
      'damaged: its manifest is too large',
    ],
  ])('%s', async (_what, manifest, reason) => {
    expect(await reasonsFor({ ...whole, manifest })).toContain(reason);
  });
});

it('a bomb whose bytes are not in it is damaged', async () => {
  const bomb = { ...farm, bytes: archiveLimits.totalBytes - 1, sha256: sha256(Buffer.alloc(0)) };
  using directory = temporaryDirectory();
  const path = forge(directory.path, { manifest: manifestOf([saves, bomb]) });
  expect((await readManifest(path)).entries).toHaveLength(2);
  await expect(readArchive(path)).rejects.toMatchObject({ kind: 'damaged' });
});

it.runIf(canMount)(
  'a bomb that its manifest admits to is refused where the disk has no room for it, before anything is written',
  () => {
    const zeros = '\0'.repeat(4_000_000);
    const bomb = file('saves/Farm_1', zeros);
    using directory = temporaryDirectory();
    const path = forge(directory.path, {
      manifest: manifestOf([saves, bomb]),
      body: Buffer.concat([inTar(saves), inTar(bomb, zeros), endOfTar]),
    });
    const disk = join(directory.path, 'disk');
    mkdirSync(disk);
    const target = join(disk, 'Farm_1');
    const { stdout, stderr } = onOwnDisk(disk, 'size=200k', 'unpacking.ts', [path, 'saves/Farm_1', target]);
    expect(stderr).toContain("kind: 'no-room'");
    // All that lies on the disk then.
    expect(stdout).toBe('');
  },
);

it('writes over nothing, and through no link', async () => {
  using directory = temporaryDirectory();
  const path = forge(directory.path, whole);
  const target = join(directory.path, 'target');
  mkdirSync(target);
  writeFileSync(join(target, 'theirs'), '');
  await expect(unpack(path, { saves: target })).rejects.toMatchObject({ kind: 'unwritable' });
  expect(readdirSync(target)).toEqual(['theirs']);
  await expect(unpack(path, { saves: join(target, 'theirs') })).rejects.toMatchObject({ kind: 'unwritable' });
  const elsewhere = join(directory.path, 'elsewhere');
  const link = join(directory.path, 'link');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, link);
  await expect(unpack(path, { saves: link })).rejects.toMatchObject({ kind: 'unwritable' });
  expect(readdirSync(elsewhere)).toEqual([]);
});
