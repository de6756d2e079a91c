import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { floorsOf } from './architecture/floors.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const page = readFileSync(`${root}/docs/architecture.md`, 'utf8');

const sources = ['control-api', 'platform-auth', 'shared'].map((name) => `packages/${name}/src`);
const placed = /^(packages|test|tools)\//;
const path = /^[\w./-]+(?:\.ts|\/)$/;

/** What stands in code marks, by paragraphs and rows. */
const marked = page
  .split(/\n\n|\n(?=[|-])/)
  .map((part) => [...part.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

/**
 * The files and folders that a paragraph names, which are not there. A name alone is that of a file in the folder which the paragraph
 * named last, of a folder in it or beside it, or of one that a service's `src` itself holds.
 */
function missing(names: readonly string[]): readonly string[] {
  const absent: string[] = [];
  let said: string[] = [];
  for (const name of names.filter((each) => path.test(each) || placed.test(each))) {
    const isAlone = !/\/./.test(name);
    const near = said.flatMap((folder) => [folder, ...(name.endsWith('/') ? [dirname(folder)] : [])]);
    const [first] = candidates(name, isAlone ? near : []).filter((each) => existsSync(`${root}/${each}`));
    if (first === undefined) absent.push(name);
    else if (!isAlone || name.endsWith('/')) said = [name.endsWith('/') ? first : dirname(first)];
  }
  return absent;
}

function candidates(name: string, near: readonly string[]): readonly string[] {
  const whole = name.replace(/\/$/, '');
  if (placed.test(name)) return [whole];
  if (whole.startsWith('shared/')) return [whole.replace('shared/', 'packages/shared/src/')];
  return [...near, ...sources].map((folder) => `${folder}/${whole}`);
}

it('every file and folder that the page sends a newcomer to is there', () => {
  expect(marked.flat().filter((name) => path.test(name)).length).toBeGreaterThan(60);
  expect(marked.flatMap(missing)).toEqual([]);
});

it('every name of code on the page is one in the sources', () => {
  const files = globSync('packages/{control-api,platform-auth,shared,service-kit}/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${root}/${file}`, 'utf8'));
  const isThere = (name: string) => {
    const [owner = '', member = ''] = name.split('.');
    const whole = new RegExp(`\\b${name.replace('.', '\\.')}\\b`);
    const declared = new RegExp(`\\b(class|interface|type|const|function) ${owner}\\b`);
    const hasMember = new RegExp(`\\b${member}\\??[(:<]`);
    // What is one name in the code's words is no member: a file of STATE_DIR, a type of event.
    return files.some((text) => whole.test(text) || (declared.test(text) && hasMember.test(text)));
  };
  const names = marked.flat().filter((name) => /^[A-Za-z][\w-]*(\.\w+)?$/.test(name) && !path.test(name));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

it('as many paths are told as the page says', () => {
  const words = ['Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];
  const [, word = '', paths = ''] = /\n## (\w+) paths through the code\n([\s\S]*?)\n## /.exec(page) ?? [];
  expect(word).toBe(words[(paths.match(/^\*\*/gm)?.length ?? 0) - 7]);
  expect(page).toContain(`, ${word.toLowerCase()} paths that data takes`);
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
