import { readdirSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { type MessageTypes, type Roots, withLateTypes } from '@steward/service-kit/late-message-types';
import type * as SteamSession from 'steam-session';
import { quietLibraries } from '../library-leak.ts';
import type { SteamUserLibrary } from './steam-user-library.ts';

const require = createRequire(import.meta.url);

const allSchemas = 'steam-user/protobufs/generated/_load.js';
const sessionSchemas = 'steam-session/dist/protobuf-generated/load.js';

/** The larger of the libraries' parts, innermost first; what is not named comes along with the last. */
const largeParts = [
  '@doctormckay/stdlib',
  'websocket13',
  'socks-proxy-agent',
  'steam-session/dist/enums-steam/EMsg.js',
  'steam-session',
  'steam-appticket',
  'adm-zip',
  'lzma',
];

let loading: Promise<SteamUserLibrary> | undefined;

/**
 * Loads steam-user: a third of a second of work. It is done a piece at a time, so
 * that /health and whoever else waits gets an answer in between.
 */
export function loadSteamUser(): Promise<SteamUserLibrary> {
  // What a disk refuses once is tried again by the next login.
  loading ??= loadPieces().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadPieces(): Promise<SteamUserLibrary> {
  quietLibraries();
  const main = require.resolve('steam-user');
  const folder = dirname(main);
  const requireAsLibrary = createRequire(main);
  const { Root }: { Root: Roots } = requireAsLibrary('protobufjs');
  await others();
  lightenSession(requireAsLibrary);
  await others();
  for (const part of largeParts) {
    requireAsLibrary(part);
    await others();
  }
  await loadFolder(dirname(require.resolve(allSchemas)), /\.json$/);
  const messages = withLateTypes(Root, (): MessageTypes => require(allSchemas));
  await others();
  await loadFolder(join(folder, 'enums'), /\.js$/);
  // Each of these extends the one before, and the client the last.
  await loadFolder(join(folder, 'components'), /^\d\d-.*\.js$/);
  return { messages, Client: require('steam-user') };
}

/** Loads steam-session alone, which a login needs before steam-user: 100 ms of work, where it would take 175 by itself. */
export function loadSteamSession(): typeof SteamSession {
  quietLibraries();
  lightenSession(createRequire(require.resolve('steam-user')));
  return require('steam-session');
}

/** Has steam-session leave for later what it would load and build for everybody. */
function lightenSession(requireAsLibrary: NodeJS.Require): void {
  const { Root }: { Root: Roots } = requireAsLibrary('protobufjs');
  // The names of all domains with public endings: 50 ms of work for those who keep cookies, and nobody does here.
  loadWhenAsked(createRequire(requireAsLibrary.resolve('@doctormckay/stdlib')), 'psl', 'isValid');
  withLateTypes(Root, () => requireAsLibrary(sessionSchemas));
}

/** Loads each file of a folder in a turn of its own, in the order of their names. */
async function loadFolder(folder: string, which: RegExp): Promise<void> {
  const files = readdirSync(folder).filter((file) => which.test(file));
  for (const file of files.toSorted()) {
    require(join(folder, file));
    await others();
  }
}

/** Puts something in a package's place that loads it when `what` it exports is first read. */
function loadWhenAsked(require: NodeJS.Require, name: string, what: string): void {
  const file = require.resolve(name);
  if (require.cache[file] !== undefined) return;
  const late = new Module(file);
  late.loaded = true;
  Object.defineProperty(late.exports, what, {
    get() {
      if (require.cache[file] === late) delete require.cache[file];
      return require(file)[what];
    },
  });
  require.cache[file] = late;
}
