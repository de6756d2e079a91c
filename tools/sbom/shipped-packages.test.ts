import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptPackages, licenceFile, shippedPackages } from './shipped-packages.ts';

let place: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  place = temporaryDirectory();
});
afterEach(() => place[Symbol.dispose]());

/** A package in a folder of its own, with a text of its licence where one is given. */
function packageIn(folder: string, manifest: object, text?: string): string {
  const path = join(place.path, folder);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }));
  if (text !== undefined) writeFileSync(join(path, 'LICENSE.md'), text);
  return path;
}

describe('a package ships', () => {
  it.each(['MIT', 'ISC', '(MIT OR GPL-3.0-only)', 'MIT AND BSD-3-Clause'])('under %s', (license) => {
    const found = shippedPackages([packageIn('a', { name: 'a', license }, 'Copyright A')]);
    expect(licenceFile(found)).toContain(`a 1.0.0 (${license})\n\nCopyright A\n`);
  });

  it('with a text of ours where it has none, and under what its own comes to where it names nothing', () => {
    const found = shippedPackages([
      packageIn('a', { name: 'saxes', license: 'ISC' }),
      packageIn('b', { name: '@napi-rs/lzma-linux-arm64-gnu', license: 'MIT' }),
      packageIn('c', { name: 'node-bignumber', version: 'v1.2.2' }, 'Copyright Tom Wu'),
    ]);
    expect(found.map(({ name, version, licence }) => [name, version, licence])).toEqual([
      ['@napi-rs/lzma-linux-arm64-gnu', '1.0.0', 'MIT'],
      ['node-bignumber', '1.2.2', 'MIT'],
      ['saxes', '1.0.0', 'ISC'],
    ]);
    expect(licenceFile(found)).toMatch(
      /saxes 1\.0\.0 \(ISC\)\n\nCopyright[\s\S]*Isaac Z\. Schlueter[\s\S]*Mathias Bynens/,
    );
  });
});

describe('a package does not ship', () => {
  it.each([
    ['GPL-3.0-only', 'is under GPL-3.0-only, which is not among'],
    ['MIT AND AGPL-3.0-or-later', 'is not among'],
    ['SEE LICENSE IN LICENSE', 'is not among'],
    ['UNLICENSED', 'is not among'],
    [undefined, 'names no licence'],
  ])('under %s', (license, reason) => {
    const folder = packageIn('a', { name: 'a', license }, 'a text');
    expect(() => shippedPackages([folder])).toThrow(reason);
  });

  it('without a text that anybody knows', () => {
    const folder = packageIn('a', { name: 'nobody-knows', license: 'MIT' });
    expect(() => shippedPackages([folder])).toThrow('nobody-knows 1.0.0 has no text of its licence (MIT)');
  });
});

it('what a package keeps is all that it brings along, by whichever way, and nothing that it is only made with', () => {
  const service = packageIn('service', {
    name: 'service',
    dependencies: { a: '1', gone: '1' },
    devDependencies: { maker: '1' },
  });
  packageIn('service/node_modules/maker', { name: 'maker' });
  const inStore = (name: string, more: object = {}) =>
    packageIn(`store/${name}/node_modules/${name}`, { name, ...more });
  const link = (name: string, beside: string) =>
    symlinkSync(join(place.path, `store/${name}/node_modules/${name}`), join(beside, name));
  inStore('a', { dependencies: { '@b/c': '1' }, optionalDependencies: { missing: '1', d: '1' } });
  inStore('@b/c', { peerDependenciesMeta: { e: { optional: true } } });
  inStore('d', { dependencies: { a: '1' } });
  inStore('e');
  link('a', join(service, 'node_modules'));
  mkdirSync(join(place.path, 'store/a/node_modules/@b'), { recursive: true });
  for (const [from, to] of [
    ['a', '@b/c'],
    ['a', 'd'],
    ['d', 'a'],
    ['@b/c', 'e'],
  ] as const)
    link(to, join(place.path, `store/${from}/node_modules`));
  const names = keptPackages(service).map((folder) => folder.replace(/^.*\/node_modules\//, ''));
  expect(names.toSorted()).toEqual(['@b/c', 'a', 'd', 'e']);
});
