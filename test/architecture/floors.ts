import { type SourceFile, specifier } from './import-rules.ts';

/** The floors of a package from the ground up; each is its rooms, which are folders of the package's `src`. */
export type Floors = readonly (readonly string[])[];

/**
 * A room imports from the rooms of floors below its own. What stands in a room's folder and in no room further inside belongs
 * to it. The files of `src` itself are the roof, which may import from everywhere.
 */
export const floorsOf: Readonly<Record<string, Floors>> = {
  'control-api': [
    // The bridge: one interface, and what it is made of; what implements it stands above it.
    ['game/state', 'game/events'],
    ['game/rpc'],
    ['game/operations', 'game/questions', 'game/modes'],
    ['game'],
    ['game/json-rpc', 'game/existing'],
    // What this service decides stands on what it keeps and whom it asks.
    ['store', 'sidecar'],
    ['settings', 'ownership', 'invites', 'chat'],
    ['status'],
    // Nobody below speaks HTTP.
    ['http/parameters', 'http/bodies'],
    ['http/openapi', 'http/commands'],
    ['http/guards', 'http/metrics'],
    ['http/chat', 'http/routes'],
    ['http'],
  ],
};

/** Each import that goes up or sideways in a package that has floors, in words that say what to do. */
export function climbs(files: readonly SourceFile[], floors = floorsOf): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const [, name = '', inside = ''] = /^packages\/([^/]+)\/src\/(.+)$/.exec(path) ?? [];
    const house = floors[name];
    if (house === undefined || inside.endsWith('.test.ts')) return [];
    const imported = [...text.matchAll(specifier)]
      .map(([, to = '']) => to)
      .filter((to) => to.startsWith('.'));
    const objections = imported.map((to) => objection(house, inside, new URL(to, `file:///${inside}`)));
    return [homeless(house, inside), ...objections]
      .filter((words) => words !== undefined)
      .map((words) => `${path}: ${words}`);
  });
}

/** The rooms of the table that hold no file. */
export function emptyRooms(files: readonly SourceFile[], floors = floorsOf): readonly string[] {
  return Object.entries(floors).flatMap(([name, house]) => {
    const source = `packages/${name}/src/`;
    const lived = new Set(files.map(({ path }) => roomOf(house, path.slice(source.length))));
    return house.flat().filter((room) => !lived.has(room));
  });
}

function homeless(house: Floors, path: string): string | undefined {
  if (isRoof(path) || roomOf(house, path) !== undefined) return undefined;
  return 'its folder stands on no floor: put the file into a room, or its folder into floorsOf in test/architecture/floors.ts';
}

function objection(house: Floors, importer: string, { pathname }: URL): string | undefined {
  const imported = pathname.slice(1);
  const [from, to] = [roomOf(house, importer), roomOf(house, imported)];
  if (isRoof(importer) || from === undefined || from === to) return undefined;
  if (isRoof(imported))
    return `${from}/ imports ${imported}, which stands above every room: have it passed in from there`;
  if (to === undefined) return undefined;
  const [low, high] = [floorOf(house, from), floorOf(house, to)];
  if (low === high)
    return `${from}/ imports ${imported} of ${to}/, a room of its own floor: have it passed in by who composes both, or move what both need to a floor below`;
  if (low < high)
    return `${from}/ imports ${imported} of ${to}/, a floor above: move what it needs down, or have it passed in from above`;
  return undefined;
}

function isRoof(path: string): boolean {
  return !path.includes('/');
}

/** The innermost room that the file stands in. */
function roomOf(house: Floors, path: string): string | undefined {
  const around = house.flat().filter((room) => path.startsWith(`${room}/`));
  return around.toSorted((one, other) => other.length - one.length)[0];
}

function floorOf(house: Floors, room: string): number {
  return house.findIndex((rooms) => rooms.includes(room));
}
