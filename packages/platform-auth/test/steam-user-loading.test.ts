import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSteamUser } from '../src/platform/library/steam-user-loading.ts';

it('builds the message types of a file when one of them is asked for, and misses none', async () => {
  const { messages } = await loadSteamUser();
  const getter = Object.getOwnPropertyDescriptor(messages, 'CBroadcast_BeginBroadcastSession_Request')?.get;
  expect(getter).toBeTypeOf('function');
  const folder = dirname(createRequire(import.meta.url).resolve('steam-user/protobufs/generated/_load.js'));
  // Those in lower case are no types, and the library has them as little.
  const names = globSync('*.json', { cwd: folder })
    .flatMap((file) => Object.keys(JSON.parse(readFileSync(join(folder, file), 'utf8')).nested ?? {}))
    .filter((name) => /^[A-Z]/.test(name));
  expect(names.length).toBeGreaterThan(1_000);
  const types: Readonly<Record<string, unknown>> = { ...messages };
  expect(names.filter((name) => types[name] === undefined)).toEqual([]);
});

it('loads the names of all domains when a cookie asks for them, and no sooner', async () => {
  await loadSteamUser();
  const ofLibrary = createRequire(createRequire(import.meta.url).resolve('steam-user'));
  const { CookieJar } = ofLibrary('@doctormckay/stdlib/http');
  const names = createRequire(ofLibrary.resolve('@doctormckay/stdlib')).resolve('psl');
  const loaded = () => ofLibrary.cache[names]?.exports.parse;
  expect(loaded()).toBeUndefined();
  const jar = new CookieJar();
  jar.add('farm=1; Domain=example.com', 'www.example.com');
  const once = loaded();
  expect(once).toBeTypeOf('function');
  jar.add('all=1; Domain=com', 'www.example.com');
  expect(loaded()).toBe(once);
  expect(jar.getCookieHeaderForUrl('https://shop.example.com/')).toBe('farm=1');
  expect(jar.getCookieHeaderForUrl('https://www.example.com/')).toBe('farm=1; all=1');
});
