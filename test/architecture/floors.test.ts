import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { climbs, emptyRooms, floorsOf, sourceOf } from './floors.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const house = {
  tower: [['cellar.ts'], ['ground'], ['left', 'right'], ['top/inner'], ['top']],
  'tower/ground': [['stairs'], ['hall']],
};

const objections = (path: string, text: string) =>
  climbs([{ path: `packages/tower/src/${path}`, text }], house);

describe('folders', () => {
  const packages = new Set(Object.keys(floorsOf).map((name) => name.replace(/\/.*/, '')));
  const files = [...packages].flatMap((name) =>
    globSync(`${sourceOf(name)}**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules'] }).map((path) => ({
      path,
      text: readFileSync(`${root}/${path}`, 'utf8'),
    })),
  );

  it('import only from floors below their own, in each package that has floors', () => {
    expect(climbs(files)).toEqual([]);
  });

  it('are floors in every package that has folders', () => {
    const rooms = globSync('packages/*/src/*/', { cwd: root }).map((path) => path.split('/')[1]);
    expect(new Set(rooms).size).toBeGreaterThan(5);
    expect([...new Set(rooms)].filter((name = '') => !packages.has(name))).toEqual([]);
  });

  it('stand in the table only while there is something in them', () => {
    expect(emptyRooms(files)).toEqual([]);
    expect(emptyRooms([{ path: 'packages/tower/src/left/a.ts', text: '' }], house)).toEqual([
      'cellar.ts',
      'ground',
      'right',
      'top/inner',
      'top',
      'stairs',
      'hall',
    ]);
  });

  it.each([
    ['ground/a.ts', "import { b } from '../left/b.ts';", 'left/b.ts of left/, a floor above: move what it'],
    ['right/deep/a.ts', "import type { b } from '../../top/b.ts';", 'top/b.ts of top/, a floor above'],
    ['ground/deep/a.ts', '', 'its folder stands on no floor'],
    ['left/a.ts', "await import('../top/inner/b.ts');", 'top/inner/b.ts of top/inner/, a floor above'],
    ['top/inner/a.ts', "export { b } from '../b.ts';", 'top/b.ts of top/, a floor above'],
    ['left/a.ts', "import '../right/b.ts';", 'right/b.ts of right/, a room of its own floor: have it'],
    ['left/a.ts', "import '../main.ts';", 'main.ts, which stands above every room: have it passed in'],
    [
      'cellar.ts',
      "import './ground/hall/a.ts';",
      'cellar.ts imports ground/hall/a.ts of ground/, a floor above',
    ],
    ['ground/stairs/a.ts', "import '../hall/b.ts';", 'stairs/ imports hall/b.ts of hall/, a floor above'],
    ['ground/hall/a.ts', "import '../b.ts';", 'hall/ imports b.ts, which stands above every room'],
    ['attic/a.ts', '', 'its folder stands on no floor: put the file into a room'],
  ])('are found out where %s has %s', (path, text, words) => {
    expect(objections(path, text)).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    ['left/a.ts', "import '../ground/b.ts'; import './b.ts'; import './deep/b.ts';"],
    ['top/a.ts', "import './inner/b.ts'; import '../right/b.ts';"],
    ['main.ts', "import './ground/b.ts'; import './top/b.ts'; import './serve.ts';"],
    ['ground/hall/a.ts', "import '../stairs/b.ts'; import '../../cellar.ts';"],
    ['ground/a.ts', "import './hall/b.ts'; import '../cellar.ts';"],
    ['ground/a.test.ts', "import '../top/b.ts';"],
    ['ground/a.ts', "import '@steward/shared/b';"],
  ])('may be as in %s with %s', (path, text) => {
    expect(objections(path, text)).toEqual([]);
  });
});
