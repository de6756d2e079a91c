import { programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { libraryWithExecutableStack } from '@steward/platform-emulator/depot/game/program-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prunedContentHashes } from './content-hashes.ts';
import { clearedStackFlags, mayWantExecutableStack } from './executable-stack.ts';

describe('ContentHashes.json', () => {
  it('loses what is not there, and keeps the rest byte for byte', async () => {
    const text =
      '\ufeff{ "Maps/Farm" : "ab\\u0063" ,\n "Data\\\\x,{y": 9007199254740993.10, "Gone.xnb":"x",\t"Odd": {"a":[1, {"Gone.xnb":"}"}]} }\r\n';
    const there = new Set(['Content/Maps/Farm', 'Content/Data/x,{y', 'Content/Odd']);
    expect(await prunedContentHashes(text, async (name) => there.has(name))).toBe(
      '\ufeff{"Maps/Farm" : "ab\\u0063","Data\\\\x,{y": 9007199254740993.10,"Odd": {"a":[1, {"Gone.xnb":"}"}]}}',
    );
  });

  it('is not touched when everything is there', async () => {
    const text = '{\n  "a": 1,\n  "a": 2\n}\n';
    expect(await prunedContentHashes(text, async () => true)).toBe(text);
  });

  it('holds exactly the entries that are there, whatever they are', async () => {
    const list = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 12 });
    await fc.assert(
      fc.asyncProperty(list, fc.nat({ max: 4 }), fc.func(fc.boolean()), async (entries, indent, isThere) => {
        const text = JSON.stringify(entries, null, indent);
        const pruned = (await prunedContentHashes(text, async (name) => isThere(name))) ?? '';
        const there = Object.entries(entries).filter(([key]) =>
          isThere(`Content/${key.replaceAll('\\', '/')}`),
        );
        expect(JSON.parse(pruned)).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(there))));
      }),
    );
  });

  it.each([[''], ['[]'], ['null'], ['"text"'], ['{"a":'], ['{"a":1} x'], ['\0']])(
    'is left alone when it is %j',
    async (text) => expect(await prunedContentHashes(text, async () => false)).toBeUndefined(),
  );
});

describe('an executable stack', () => {
  const library = libraryWithExecutableStack(programLike('library', 9000)).read(0, 9000);

  it('is cleared where a library asks for one, and nothing else of it is changed', () => {
    const change = clearedStackFlags(library.subarray(0, 4096));
    expect(change?.flags).toEqual(Buffer.from([6, 0, 0, 0]));
    const changed = Buffer.from(library);
    changed.set(change?.flags ?? [], change?.offset);
    expect(changed.compare(library)).not.toBe(0);
    expect(clearedStackFlags(changed)).toBeUndefined();
    const differing = [...library.keys()].filter((at) => changed[at] !== library[at]);
    expect(differing).toEqual([68]);
  });

  it('is looked for in two libraries alone', () => {
    expect(mayWantExecutableStack('runtimes/linux-x64/native/libGalaxy64.so')).toBe(true);
    expect(mayWantExecutableStack('libGalaxyCSharpGlue.so')).toBe(true);
    expect(mayWantExecutableStack('libGalaxy64.so.bak')).toBe(false);
  });

  it('is not found in anything that is no such library, cut short or made up', () => {
    const beforeFlags = 71;
    const cut = fc.nat({ max: beforeFlags }).map((length) => library.subarray(0, length));
    const mutated = fc.tuple(fc.nat({ max: 63 }), fc.nat({ max: 255 })).map(([at, byte]) => {
      const copy = Buffer.from(library.subarray(0, 4096));
      copy[at] = byte;
      return copy;
    });
    const anything = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(fc.property(cut, (head) => clearedStackFlags(head) === undefined));
    fc.assert(
      fc.property(fc.oneof(mutated, anything), (head) => {
        const change = clearedStackFlags(head);
        if (change !== undefined) expect(change.offset + 4).toBeLessThanOrEqual(head.length);
      }),
    );
  });
});
