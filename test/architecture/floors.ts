import { type SourceFile, specifier } from './import-rules.ts';

/**
 * The floors of a package from the ground up; each is its rooms, which are folders of the package's `src`, or files of it that a
 * room has to stand on.
 */
export type Floors = readonly (readonly string[])[];

/**
 * A room imports from the rooms of floors below its own. What stands in a room's folder and in no room further inside belongs
 * to it. The other files of `src` itself are the roof, which may import from everywhere. A row of `<package>/<folder>` says the
 * same of a folder that has an order inside.
 */
export const floorsOf: Readonly<Record<string, Floors>> = {
  shared: [
    [
      'text.ts',
      'parsed.ts',
      'scopes.ts',
      'identities.ts',
      'backups.ts',
      'drain.ts',
      'player-list.ts',
      'problems',
    ],
    ['ids.ts'],
    ['wire-values.ts', 'connection-id.ts'],
    ['kinds.ts', 'exact-id.ts'],
    ['settings'],
    ['bridge', 'sidecar'],
    ['events'],
    ['chat'],
    ['api'],
  ],
  'service-kit': [
    ['clock.ts', 'secret.ts', 'json.ts', 'text'],
    ['process'],
    ['configuration', 'files'],
    ['log'],
    ['command-line', 'http'],
  ],
  'control-api': [
    ['entries.ts', 'ip-networks.ts'],
    // The bridge: one interface, and what it is made of; what implements it stands above it.
    ['game/state'],
    ['game/operations', 'game/questions', 'game/modes'],
    ['game'],
    ['game/json-rpc', 'game/existing'],
    // What this service decides stands on what it keeps and whom it asks.
    ['store', 'sidecar', 'backups/archive'],
    ['keys', 'audit'],
    // How whatever happens reaches those who listen.
    ['events'],
    [
      'settings',
      'ownership',
      'moderation',
      'invites',
      'chat',
      'webhooks',
      'backups',
      'drain',
      'farms',
      'updates',
      'schedules',
    ],
    ['status'],
    // Nobody below speaks HTTP.
    ['http/parameters', 'http/bodies'],
    ['http/endpoints'],
    ['http/openapi', 'http/command-answers'],
    ['http/guards', 'http/metrics'],
    ['http/streams', 'http/handlers', 'http/dashboard'],
    ['http'],
    ['configuration.ts'],
    ['compose'],
    ['service-parts.ts'],
    ['service.ts'],
    // What is done once, by the service that runs or by being it.
    ['commands'],
  ],
  'platform-auth': [
    ['entries.ts'],
    ['platform'],
    ['tokens'],
    ['session', 'tickets', 'lobby', 'download'],
    ['configuration.ts'],
    ['commands/run', 'http'],
    ['commands/login', 'commands/doctor'],
    ['commands'],
  ],
  'control-api/store': [['tables'], ['directory', 'writing'], ['kept']],
  'platform-auth/download': [
    ['problems', 'filter', 'decode', 'changes'],
    ['manifest'],
    ['names', 'cdn'],
    ['disk', 'catalogue'],
    ['kept'],
    ['plan'],
    ['publish', 'progress'],
    ['run'],
    ['background'],
  ],
  'simulated-game': [
    ['time', 'steward'],
    ['events', 'saves'],
    ['faults', 'cabins', 'networks'],
    ['world'],
    ['farmhands', 'chat'],
    ['players'],
    ['farm'],
    ['commands', 'visitors', 'picture'],
    ['bridge'],
    ['program'],
    ['control'],
  ],
  'platform-emulator': [
    ['randomness.ts', 'wire', 'record', 'depot'],
    ['accounts', 'faults'],
    ['services', 'transport'],
    ['authentication', 'cdn'],
    ['cm'],
    ['catalogue'],
    ['lobbies', 'tickets', 'web-api', 'demo-apps.ts', 'platform-options.ts'],
    ['running-platform.ts'],
    ['platform.ts'],
    ['program'],
  ],
  'existing-server-double': [['farm'], ['hosting', 'http', 'chat'], ['existing-server.ts'], ['control']],
  'discord-double': [['rules', 'faults'], ['world'], ['gateway', 'people', 'rest'], ['discord.ts']],
  client: [['options.ts'], ['generated']],
  'mcp-server': [['answers', 'farm'], ['tools']],
  'discord-bot': [
    ['log.ts', 'text'],
    ['discord'],
    ['relay', 'commands'],
    ['configuration.ts'],
    ['doors.ts'],
    ['bot.ts'],
  ],
  dashboard: [['words.ts', 'may.ts', 'key.ts', 'router.ts'], ['farm'], ['parts'], ['views']],
  testing: [['hostile', 'game']],
  'bridge-conformance': [['wire'], ['driver'], ['rules']],
  tools: [['sbom'], ['bundle', 'image', 'pages', 'words']],
};

/** Each import that goes up or sideways in what has floors, in words that say what to do. */
export function climbs(files: readonly SourceFile[], floors = floorsOf): readonly string[] {
  return Object.entries(floors).flatMap(([name, house]) =>
    files.filter(({ path }) => isIn(name, path) && !path.endsWith('.test.ts')).flatMap(climbsIn(name, house)),
  );
}

/** The rooms of the table that hold no file. */
export function emptyRooms(files: readonly SourceFile[], floors = floorsOf): readonly string[] {
  return Object.entries(floors).flatMap(([name, house]) => {
    const lived = new Set(
      files.filter(({ path }) => isIn(name, path)).map(({ path }) => roomOf(house, within(name, path))),
    );
    return house.flat().filter((room) => !lived.has(room));
  });
}

function climbsIn(name: string, house: Floors): (file: SourceFile) => readonly string[] {
  return ({ path, text }) => {
    const inside = within(name, path);
    const imported = [...text.matchAll(specifier)]
      .map(([, to = '']) => to)
      .filter((to) => to.startsWith('.'))
      .map((to) => new URL(to, `file:///${path}`).pathname.slice(1))
      // What leads out of the folder is the package's own row to judge.
      .filter((to) => isIn(name, to));
    const objections = imported.map((to) => objection(house, inside, within(name, to)));
    return [homeless(house, inside), ...objections]
      .filter((words) => words !== undefined)
      .map((words) => `${path}: ${words}`);
  };
}

/** Where the folders of a row lie. */
export function sourceOf(name: string): string {
  const [packageName, ...folders] = name.split('/');
  const source = packageName === 'tools' ? ['tools'] : ['packages', packageName, 'src'];
  return [...source, ...folders, ''].join('/');
}

function isIn(name: string, path: string): boolean {
  return path.startsWith(sourceOf(name));
}

function within(name: string, path: string): string {
  return path.slice(sourceOf(name).length);
}

function homeless(house: Floors, path: string): string | undefined {
  if (isRoof(house, path) || roomOf(house, path) !== undefined) return undefined;
  return 'its folder stands on no floor: put the file into a room, or its folder into floorsOf in test/architecture/floors.ts';
}

function objection(house: Floors, importer: string, imported: string): string | undefined {
  const [from, to] = [roomOf(house, importer), roomOf(house, imported)];
  if (from === undefined || from === to) return undefined;
  if (isRoof(house, imported))
    return `${shown(from)} imports ${imported}, which stands above every room: have it passed in from there`;
  if (to === undefined) return undefined;
  const [low, high] = [floorOf(house, from), floorOf(house, to)];
  if (low === high)
    return `${shown(from)} imports ${imported} of ${shown(to)}, a room of its own floor: have it passed in by who composes both, or move what both need to a floor below`;
  if (low < high)
    return `${shown(from)} imports ${imported} of ${shown(to)}, a floor above: move what it needs down, or have it passed in from above`;
  return undefined;
}

function isRoof(house: Floors, path: string): boolean {
  return !path.includes('/') && roomOf(house, path) === undefined;
}

function shown(room: string): string {
  return room.endsWith('.ts') ? room : `${room}/`;
}

/** The innermost room that the file stands in. */
function roomOf(house: Floors, path: string): string | undefined {
  const around = house.flat().filter((room) => path === room || path.startsWith(`${room}/`));
  return around.toSorted((one, other) => other.length - one.length)[0];
}

function floorOf(house: Floors, room: string): number {
  return house.findIndex((rooms) => rooms.includes(room));
}
