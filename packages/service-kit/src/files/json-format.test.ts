import { type FileHandle, readFile, writeFile } from 'node:fs/promises';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FileVersions } from './file-versions.ts';
import { JsonFormat, type JsonObject } from './json-format.ts';
import { type FileSteps, fileSteps, replaceFile } from './replace-file.ts';

/** Each version adds to a trail where it has been, so that a migration left out or done twice is seen. */
function formatOf(current: number, unversioned?: number) {
  const migrations = Array.from({ length: current - 1 }, (_, index) => (older: JsonObject) => ({
    ...older,
    trail: [...z.array(z.number()).parse(older['trail']), index + 2],
  }));
  const versions: FileVersions<JsonObject> = {
    name: 'A trail',
    place: 'trail.json',
    current,
    migrations,
    whenNewer: 'It waits',
    ...(unversioned === undefined ? {} : { unversioned }),
  };
  return new JsonFormat(
    versions,
    z.object({ version: z.literal(current), trail: z.array(z.number()), rest: z.unknown().optional() }),
  );
}

const version = fc.integer({ min: 1, max: 9 });

describe('a file of JSON', () => {
  it('of any older version goes through every migration from there on, once and in order', () => {
    fc.assert(
      fc.property(version, version, fc.jsonValue(), (one, other, rest) => {
        const [written, current] = [Math.min(one, other), Math.max(one, other)];
        const read = formatOf(current).read(JSON.stringify({ version: written, trail: [written], rest }));
        const trail = Array.from({ length: current - written + 1 }, (_, index) => written + index);
        expect(read).toMatchObject({ kind: 'content', content: { version: current, trail } });
      }),
    );
  });

  it('of any newer version is newer, whatever else is in it', () => {
    fc.assert(
      fc.property(
        version,
        fc.integer({ min: 1 }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (current, ahead, rest) => {
          const text = JSON.stringify({ ...rest, version: current + ahead });
          expect(formatOf(current).read(text)).toMatchObject({
            kind: 'newer',
            reason: expect.stringContaining(`format ${current + ahead}; this one reads up to ${current}`),
          });
        },
      ),
    );
  });

  it('without a version is of the one that such files have, and corrupt where they have none', () => {
    expect(formatOf(3, 2).read('{"trail":[2]}')).toMatchObject({ content: { trail: [2, 3] } });
    expect(formatOf(3).read('{"trail":[2]}')).toEqual({ kind: 'corrupt' });
  });

  it.each([
    '',
    '[]',
    '7',
    '{"version":"1","trail":[]}',
    '{"version":0,"trail":[]}',
    '{"version":1.5,"trail":[]}',
    '{"version":1}',
  ])('is corrupt as %j', (text) => {
    const plain = formatOf(2);
    expect(() => plain.read(text)).not.toThrow();
    expect(plain.read(text)).toEqual({ kind: 'corrupt' });
  });

  it('has a migration for each version before the current one, or is no format', () => {
    const { versions } = formatOf(3);
    expect(() => new JsonFormat({ ...versions, current: 4 }, z.unknown())).toThrow(
      /wants 3 migrations, not 2/,
    );
  });
});

describe('a migrated file that is written when the process dies', () => {
  const steps = ['create', 'write', 'flush', 'rename', 'flushDirectory'] as const;

  it.each(steps)('before %s still reads as it did', async (fatal) => {
    using directory = temporaryDirectory();
    const path = `${directory.path}/trail.json`;
    const format = formatOf(3);
    await writeFile(path, '{"version":1,"trail":[1]}');
    const before = format.read(await readFile(path, 'utf8'));
    if (before.kind !== 'content') throw new Error(before.kind);
    const opened: FileHandle[] = [];
    await new Promise<void>((died) => {
      const create: FileSteps['create'] = async (...place) => {
        const file = await fileSteps.create(...place);
        opened.push(file);
        return file;
      };
      // A process that is killed cleans nothing up: the step never ends, and nothing comes after it.
      const stops = { [fatal]: () => new Promise<never>(() => died()) };
      const dying: FileSteps = { ...fileSteps, create, ...stops };
      void replaceFile(path, JSON.stringify(before.content), { steps: dying });
    });
    for (const file of opened) await file.close().catch(() => {});
    expect(format.read(await readFile(path, 'utf8'))).toEqual(before);
    await replaceFile(path, JSON.stringify(before.content));
    expect(format.read(await readFile(path, 'utf8'))).toEqual(before);
  });
});
