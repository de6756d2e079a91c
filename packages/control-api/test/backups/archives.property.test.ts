import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pack } from '../../src/backups/archive/pack.ts';
import { readArchive, readManifest } from '../../src/backups/archive/read.ts';
import { unpack } from '../../src/backups/archive/unpack.ts';
import { about, archiveName } from './stage/archives.ts';
import { listed, readTree, tree, writeTree } from './stage/random-trees.ts';

const runs = { numRuns: count({ small: 12, long: 5_000 }) };

it('what comes out of an archive is what went in: every byte, name, mode and time, and nothing else', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (saves, owners) => {
      using directory = temporaryDirectory();
      const at = (name: string) => join(directory.path, name);
      writeTree(at('saves'), saves);
      writeTree(at('owners'), owners);
      const before = [readTree(at('saves')), readTree(at('owners'))];
      const sources = [
        { into: 'saves', path: at('saves') },
        { into: 'owners', path: at('owners') },
      ];
      const { manifest, bytes } = await pack({ to: at(archiveName), sources, about }, at('part'));
      expect(statSync(at(archiveName))).toMatchObject({ size: bytes, mode: 0o100600 });
      expect(manifest.leftOut).toEqual([]);
      expect(await readManifest(at(archiveName))).toEqual(manifest);
      expect(await readArchive(at(archiveName))).toEqual(manifest);
      mkdirSync(at('back'));
      mkdirSync(at('alone'));
      expect(await unpack(at(archiveName), { saves: at('back'), owners: at('alone') })).toEqual(manifest);
      expect([readTree(at('back')), readTree(at('alone'))]).toEqual(before);
    }),
    runs,
  );
});

it.each([
  ['GNU tar', ['tar', '--zstd', '--warning=no-timestamp', '-xpf']],
  ['bsdtar', ['bsdtar', '-xpf']],
])('%s unpacks the same, so that nobody needs Steward for it', async (_name, [command = '', ...options]) => {
  await fc.assert(
    fc.asyncProperty(tree, async (saves) => {
      using directory = temporaryDirectory();
      const at = (name: string) => join(directory.path, name);
      writeTree(at('source'), saves);
      await pack(
        { to: at(archiveName), sources: [{ into: 'saves', path: at('source') }], about },
        at('part'),
      );
      mkdirSync(at('out'));
      const { stderr, status } = spawnSync(command, [...options, at(archiveName), '-C', at('out')], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      expect(listed(readTree(at('out/saves')))).toEqual(listed(readTree(at('source'))));
    }),
    { numRuns: count({ small: 10, long: 300 }) },
  );
});
