import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { quietLibraries } from '../library-leak.ts';
import type { SteamUserLibrary } from './steam-user-library.ts';

const require = createRequire(import.meta.url);

const allSchemas = 'steam-user/protobufs/generated/_load.js';

/** The larger of the libraries' parts, innermost first; what is not named comes along with the last. */
const largeParts = [
  'protobufjs',
  '@doctormckay/stdlib',
  '@doctormckay/stdlib/http',
  'websocket13',
  'socks-proxy-agent',
  'steam-session/dist/protobuf-generated/load.js',
  'steam-session',
  'steam-appticket',
  'adm-zip',
  'lzma',
];

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

interface Schemas {
  fromJSON(json: Schema): Readonly<Record<string, unknown>>;
}

let loading: Promise<SteamUserLibrary> | undefined;

/**
 * Loads steam-user: half a second of work, most of it message types. It is done a piece at a time, so
 * that /health and whoever else waits gets an answer in between.
 */
export function loadSteamUser(): Promise<SteamUserLibrary> {
  loading ??= loadPieces();
  return loading;
}

async function loadPieces(): Promise<SteamUserLibrary> {
  // All that loading throws away would make V8 grow its young generation to 130 MB, and keep it at that. It takes no longer.
  setFlagsFromString('--semi-space-growth-factor=1');
  quietLibraries();
  const requireAsLibrary = createRequire(require.resolve('steam-user'));
  for (const part of largeParts) {
    requireAsLibrary(part);
    await others();
  }
  const { Root }: { Root: Schemas } = requireAsLibrary('protobufjs');
  const messages = await loadSchemas(Root);
  await others();
  require('steam-user/components/01-enums.js');
  await others();
  return { messages, Client: require('steam-user') };
}

/**
 * The library builds all its message types in one go, which is half a second and 50 MB. Here each file's are built when one of them
 * is first asked for; those that the library asks for as it loads before that, a file at a time.
 */
async function loadSchemas(Root: Schemas): Promise<SteamUserLibrary['messages']> {
  const files = new Map<string, object>();
  for (const name of readdirSync(dirname(require.resolve(allSchemas)))) {
    if (!name.endsWith('.json')) continue;
    files.set(name, require(`steam-user/protobufs/generated/${name}`));
    await others();
  }
  const build = Root.fromJSON;
  const inOrder: Schema[] = [];
  Root.fromJSON = (json) => {
    inOrder.push(json);
    return {};
  };
  const messages: SteamUserLibrary['messages'] = require(allSchemas);
  Root.fromJSON = build;
  const built = new Map<object, Readonly<Record<string, unknown>>>();
  const typesOf = (json: object): Readonly<Record<string, unknown>> => {
    const types = built.get(json) ?? build.call(Root, json);
    built.set(json, types);
    return types;
  };
  // Where two files have a type of one name, the later one's counts, as with the library.
  for (const json of inOrder)
    for (const name of Object.keys(json.nested ?? {}))
      Object.defineProperty(messages, name, {
        get: () => typesOf(json)[name],
        enumerable: true,
        configurable: true,
      });
  for (const name of builtAhead) {
    const json = files.get(`${name}.json`);
    if (json !== undefined) typesOf(json);
    await others();
  }
  return messages;
}
