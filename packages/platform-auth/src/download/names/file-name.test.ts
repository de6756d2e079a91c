import { posix } from 'node:path';
import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLink, checkName, folded, parentsOf } from './file-name.ts';

function isTaken(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

const nasty = fc.constantFrom(
  '..',
  '.',
  '',
  '/',
  '\\',
  '\0',
  ':',
  'a',
  'Content',
  'CON',
  ' ',
  '\u2028',
  '~',
  '%2e%2e',
);
const names = fc.oneof(
  anyText(),
  fc.array(nasty, { maxLength: 6 }).map((parts) => parts.join('/')),
  fc.array(nasty, { maxLength: 6 }).map((parts) => parts.join('')),
);

describe('a name from a manifest', () => {
  it('that is taken stays below its folder, whatever it is', () => {
    fc.assert(
      fc.property(names, (name) => {
        fc.pre(isTaken(() => checkName(name)));
        const place = posix.resolve('/data/game', name);
        expect(place).toBe(`/data/game/${name}`);
        expect(posix.normalize(name)).toBe(name);
        expect(name).not.toMatch(/[\p{Cc}\\:]/u);
      }),
    );
  });

  it.each([
    'FarmGame',
    'Content/Data/Events/Farm.de-DE.xnb',
    'Content/XACT/Wave Bank(1.4).xwb',
    'runtimes/linux-x64/native/libc++.so.1',
    '.hidden/…/日本語.xnb',
    'console.txt',
    'CON1/nulls.txt',
    'a'.repeat(255),
  ])('as real ones are is taken: %s', (name) => {
    expect(isTaken(() => checkName(name))).toBe(true);
  });

  it('is told in a way that does nothing to a terminal, however it is made', () => {
    fc.assert(
      fc.property(names, (name) => {
        fc.pre(!isTaken(() => checkName(name)));
        expect(() => checkName(name)).toThrow(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u);
      }),
    );
  });

  it('has the folders above it for parents', () => {
    expect(parentsOf('a/b/c.txt')).toEqual(['a', 'a/b']);
    expect(parentsOf('c.txt')).toEqual([]);
  });

  it.each([
    ['Content/Readme.txt', 'content/README.TXT'],
    ['caf\u00e9', 'cafe\u0301'],
    ['\u212b', '\u00e5'],
  ])('%s and %s are one on some systems', (one, other) => expect(folded(one)).toBe(folded(other)));
});

describe('a link', () => {
  it('that is taken leads to a place below its folder, as the system follows it', () => {
    const part = fc.constantFrom('..', '.', 'a', 'b', 'c', '');
    const target = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
    const place = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(fc.tuple(place, target), { minLength: 1, maxLength: 4 }), (pairs) => {
        const links = new Map(pairs);
        for (const [name, to] of links) {
          // A link below a link is refused before links are followed.
          if (parentsOf(name).some((parent) => links.has(parent))) continue;
          if (!isTaken(() => checkLink(name, to, (each) => links.get(each)))) continue;
          expect(followed(name, links)).toBeDefined();
        }
      }),
    );
  });

  it.each([
    ['link', 'Content/a'],
    ['runtimes/linux-x64/native/lib.so', '../../../lib.so'],
    ['a/b', './c/../d'],
  ])('%s to %s is taken', (name, target) => {
    expect(isTaken(() => checkLink(name, target, () => undefined))).toBe(true);
  });
});

/** Where a link ends, by a slower way: resolving one part and starting over. Undefined outside or in a circle. */
function followed(name: string, links: ReadonlyMap<string, string>): string | undefined {
  let path = name.split('/');
  for (let round = 0; round < 200; round += 1) {
    const at = path.findIndex(
      (part, index) => part === '..' || links.has(path.slice(0, index + 1).join('/')),
    );
    if (at === -1) return path.join('/');
    if (path[at] === '..') {
      if (at === 0) return undefined;
      path = [...path.slice(0, at - 1), ...path.slice(at + 1)];
    } else {
      const target = links.get(path.slice(0, at + 1).join('/')) ?? '';
      if (target.startsWith('/')) return undefined;
      const parts = target.split('/').filter((part) => part !== '' && part !== '.');
      path = [...path.slice(0, at), ...parts, ...path.slice(at + 1)];
    }
  }
  return undefined;
}
