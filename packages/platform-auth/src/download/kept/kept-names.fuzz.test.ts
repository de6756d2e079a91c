import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diskSteps } from '../disk/disk-steps.ts';
import { Places } from '../names/places.ts';
import { DownloadProblem } from '../problems/problem.ts';
import { rollForward } from '../publish/roll-forward.ts';
import { readInstalled } from './installed.ts';
import { readJournal } from './journal.ts';

const runs = { numRuns: count({ small: 300, long: 10_000 }) };
const longMs = 3_600_000;
const key = 'c'.repeat(32);

/** Names that lead out of GAME_DIR, or to what the downloader keeps there, among some that do not. */
const name = fc.oneof(
  fc.constantFrom('../beside/secret', '../beside', '..', '.', '/', '', 'a/../../beside/secret'),
  fc.constantFrom('.steam-sdk/..', '.steam-sdk/../../beside/secret', '.download/tree.json', '.Download'),
  fc.constantFrom('.steam-sdk', '.steam-sdk/a', 'Content', 'Content/a', 'b', '__proto__', 'a\0'),
);
const from = fc.oneof(
  fc.constantFrom(key, `${key}.changed`, `${key}.`, `/${key}`, key.toUpperCase(), 'link', 'again', ''),
  fc.constantFrom('..', '../journal.json', '../../../beside/secret', `${key}/../../tree.json`),
);

const record = fc
  .record({ file: name, link: name, directories: fc.array(name, { maxLength: 2 }) })
  .map(({ file, link, directories }) => {
    const found = { contentKey: 'k', executable: false, chunks: [], size: 9, modifiedMs: 1 };
    return JSON.stringify({ version: 1, files: { [file]: found }, links: { [link]: 'a' }, directories });
  });

const near = hostileJson({
  version: 1,
  steps: [
    { do: 'remove', name: 'Content/b' },
    { do: 'remove-directory', name: 'Content' },
    { do: 'directory', name: '.steam-sdk' },
    { do: 'link', name: 'lib', target: 'Content' },
    { do: 'put', name: 'Content/a', from: key },
  ],
  marker: '{}',
});
const step = fc.oneof(
  fc.record({ do: fc.constantFrom('remove', 'remove-directory', 'directory'), name }),
  fc.record({ do: fc.constant('link'), name, target: name }),
  fc.record({ do: fc.constant('put'), name, from }),
);
const journal = fc.oneof(
  near,
  fc
    .array(step, { minLength: 1, maxLength: 4 })
    .map((steps) => JSON.stringify({ version: 1, steps, marker: '{}' })),
);

function isBelow(folder: string): (path: string) => boolean {
  return (path) => path.startsWith(folder + sep);
}

it('a hostile record of what is installed names nothing outside GAME_DIR', { timeout: longMs }, async () => {
  using directory = temporaryDirectory();
  const places = new Places(directory.path);
  mkdirSync(places.work);
  await fc.assert(
    fc.asyncProperty(record, async (text) => {
      writeFileSync(places.record, text);
      const { files, links, directories } = await withstandAsync(() => readInstalled(places));
      for (const each of [...Object.keys(files), ...Object.keys(links), ...directories])
        expect(resolve(places.inTree(each))).toSatisfy(isBelow(places.root));
    }),
    runs,
  );
});

it('a hostile journal is refused, or changes nothing outside GAME_DIR', { timeout: longMs }, async () => {
  using directory = temporaryDirectory();
  const beside = join(directory.path, 'beside');
  const places = new Places(join(directory.path, 'game'));
  mkdirSync(beside);
  writeFileSync(join(beside, 'secret'), 'secret');
  let understood = 0;
  await fc.assert(
    fc.asyncProperty(journal, async (text) => {
      rmSync(places.root, { recursive: true, force: true });
      mkdirSync(places.stage, { recursive: true });
      writeFileSync(places.staged(key), 'staged');
      writeFileSync(places.journal, text);
      const read = await withstandAsync(() => readJournal(places)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(DownloadProblem);
        expect(readdirSync(places.root)).toEqual([basename(places.work)]);
      });
      if (read === undefined) return;
      for (const each of read.steps) {
        expect(resolve(places.inTree(each.name))).toSatisfy(isBelow(places.root));
        if (each.do === 'put') expect(dirname(resolve(places.staged(each.from)))).toBe(places.stage);
      }
      // Steps that contradict one another may fail half-way: then there is no marker.
      await rollForward(places, diskSteps, read).catch(() => {});
      expect(readdirSync(directory.path).toSorted()).toEqual(['beside', 'game']);
      expect(readdirSync(beside)).toEqual(['secret']);
      understood += 1;
    }),
    runs,
  );
  expect(understood).toBeGreaterThan(0);
});
