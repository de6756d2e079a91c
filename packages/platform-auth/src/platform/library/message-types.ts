import { dirname } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { loadFolder } from './load-folder.ts';
import type { SteamUserLibrary } from './steam-user-library.ts';

const allSchemas = 'steam-user/protobufs/generated/_load.js';
const sessionSchemas = 'steam-session/dist/protobuf-generated/load.js';
/** Of a large file, so many message types are read at once. */
const typesAtOnce = 100;

/** The files whose types the library asks for as it loads. One that is missing here makes loading one turn longer, and no more. */
const builtAhead = [
  'common',
  'friends_mobile',
  'steammessages_chat.steamclient',
  'steammessages_clientserver',
  'steammessages_clientserver_2',
  'steammessages_clientserver_appinfo',
  'steammessages_clientserver_friends',
  'steammessages_clientserver_gameservers',
  'steammessages_clientserver_login',
  'steammessages_contentsystem.steamclient',
  'steammessages_credentials.steamclient',
  'steammessages_deviceauth.steamclient',
  'steammessages_econ.steamclient',
  'steammessages_friendmessages.steamclient',
  'steammessages_gameservers.steamclient',
  'steammessages_notifications.steamclient',
  'steammessages_player.steamclient',
  'steammessages_publishedfile.steamclient',
  'steammessages_store.steamclient',
  'steammessages_twofactor.steamclient',
  'steammessages_useraccount.steamclient',
  'steammessages_workshop.steamclient',
];

interface Schema {
  readonly nested?: Readonly<Record<string, object>>;
}

type Types = Readonly<Record<string, unknown>>;

interface Root {
  addJSON(types: Readonly<Record<string, object>>): unknown;
  readonly nestedArray: readonly { resolveAll?(): unknown }[];
  resolveAll(): Types;
}

/** The class of protobufjs. */
export interface Roots {
  fromJSON(json: Schema): Types & Root;
}

/**
 * The library builds all its message types in one go, which is half a second and 50 MB. Here each file's are built when one of them
 * is first asked for; those that the library asks for as it loads before that, a file at a time.
 */
export async function loadMessageTypes(
  roots: Roots,
  require: NodeJS.Require,
): Promise<SteamUserLibrary['messages']> {
  const files = await loadFolder(require, dirname(require.resolve(allSchemas)), /\.json$/);
  const { loaded: messages, schemas } = unbuilt(roots, (): SteamUserLibrary['messages'] =>
    require(allSchemas),
  );
  const built = new Map<object, Types>();
  const typesOf = (json: Schema): Types => {
    const types = built.get(json) ?? roots.fromJSON(json);
    built.set(json, types);
    return types;
  };
  // Where two files have a type of one name, the later one's counts, as with the library.
  for (const json of schemas)
    for (const name of Object.keys(json.nested ?? {}))
      Object.defineProperty(messages, name, {
        get: () => typesOf(json)[name],
        enumerable: true,
        configurable: true,
      });
  for (const name of builtAhead) {
    const json = files.get(`${name}.json`);
    if (json !== undefined) built.set(json, await buildInTurns(roots, json));
    await others();
  }
  return messages;
}

/** Those of the library that logs in, for it to find when it loads. */
export async function loadSessionTypes(roots: Roots, require: NodeJS.Require): Promise<void> {
  const { loaded, schemas } = unbuilt(roots, (): { default: object } => require(sessionSchemas));
  for (const schema of schemas) {
    await others();
    Object.assign(loaded.default, await buildInTurns(roots, schema));
  }
}

/** Loads what builds message types as it loads, without these; what they would be built from, in its order. */
function unbuilt<Loaded>(
  roots: Roots,
  load: () => Loaded,
): { readonly loaded: Loaded; readonly schemas: readonly Schema[] } {
  const build = roots.fromJSON;
  const schemas: Schema[] = [];
  roots.fromJSON = (json) => {
    schemas.push(json);
    return {} as Types & Root;
  };
  try {
    return { loaded: load(), schemas };
  } finally {
    roots.fromJSON = build;
  }
}

/** What `fromJSON` does in one go. */
async function buildInTurns(roots: Roots, { nested = {}, ...beside }: Schema): Promise<Types> {
  const root = roots.fromJSON(beside);
  const types = Object.entries(nested);
  for (let first = 0; first < types.length; first += typesAtOnce) {
    root.addJSON(Object.fromEntries(types.slice(first, first + typesAtOnce)));
    await others();
  }
  for (const [index, type] of root.nestedArray.entries()) {
    type.resolveAll?.();
    if (index % typesAtOnce === 0) await others();
  }
  return root.resolveAll();
}
