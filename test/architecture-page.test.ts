import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { floorsOf } from './architecture/floors.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const page = readFileSync(`${root}/docs/architecture.md`, 'utf8');

/** Everything in code marks that looks like a file or a folder of ours. */
const named = [...page.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, path = '']) => path);

const sources = ['control-api', 'platform-auth', 'shared'].map((name) => `packages/${name}/src`);

function isThere(path: string): boolean {
  if (/^(packages|test)\//.test(path)) return existsSync(`${root}/${path}`);
  if (path.startsWith('shared/'))
    return existsSync(`${root}/${path.replace('shared/', 'packages/shared/src/')}`);
  // A name alone is that of a file which the sentence has placed already.
  return sources.some(
    (source) => globSync(`${source}/**/${path.replace(/\/$/, '')}`, { cwd: root }).length > 0,
  );
}

it('every file and folder that the page sends a newcomer to is there', () => {
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

/** The rooms of each row of a service's table, from above. */
function shownFloors(name: string): string[][] {
  const [, table = ''] = page.split(`| ${name} | What it contains |`);
  const rows = table.split('\n\n')[0]?.trim().split('\n').slice(1) ?? [];
  return rows.map((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)\/`/g)].map(([, room = '']) => room),
  );
}

it.each(['control-api', 'platform-auth'])('the floors of %s are those that hold, from above', (name) => {
  const house = floorsOf[name] ?? [];
  const floorOf = (room: string) => house.findIndex((rooms) => rooms.includes(room));
  const shown = shownFloors(name);
  // Rooms inside a room, and single files, are more than the page tells.
  const rooms = house
    .flat()
    .map((room) => room.split('/')[0] ?? '')
    .filter((room) => !room.endsWith('.ts'));
  expect(shown.flat().toSorted()).toEqual([...new Set(rooms)].toSorted());
  shown.reduce((above, below) => {
    expect(Math.min(...above.map(floorOf))).toBeGreaterThan(Math.max(...below.map(floorOf)));
    return below;
  });
});
