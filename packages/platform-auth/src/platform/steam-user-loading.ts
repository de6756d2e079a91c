import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { quietLibraries } from './quiet-libraries.ts';
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

interface Schemas {
  fromJSON(json: object): object;
}

let loading: Promise<SteamUserLibrary> | undefined;

/**
 * Loads steam-user: half a second of work, most of it message types that nobody here will send. It is done a piece at a time, so
 * that /health and whoever else waits gets an answer in between.
 */
export function loadSteamUser(): Promise<SteamUserLibrary> {
  loading ??= loadPieces();
  return loading;
}

async function loadPieces(): Promise<SteamUserLibrary> {
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

/** The library builds all its message types in one go; here they are built before, and it is handed what it asks for. */
async function loadSchemas(Root: Schemas): Promise<SteamUserLibrary['messages']> {
  const built = new Map<object, object>();
  for (const name of readdirSync(dirname(require.resolve(allSchemas)))) {
    if (!name.endsWith('.json')) continue;
    const json: object = require(`steam-user/protobufs/generated/${name}`);
    built.set(json, Root.fromJSON(json));
    await others();
  }
  const build = Root.fromJSON;
  Root.fromJSON = (json) => built.get(json) ?? build.call(Root, json);
  try {
    return require(allSchemas);
  } finally {
    Root.fromJSON = build;
  }
}
