import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadSteamUser } from '../src/platform/library/steam-user-loading.ts';

it('builds the message types of a file when one of them is first used, and misses none', async () => {
  const { messages } = await loadSteamUser();
  const main = createRequire(import.meta.url).resolve('steam-user');
  const { Root } = createRequire(main)('protobufjs');
  const builds = vi.spyOn(Root.prototype, 'addJSON');
  onTestFinished(() => builds.mockRestore());
  for (const name of ['CBroadcast_BeginBroadcastSession_Request', 'CBroadcast_EndBroadcastSession_Request']) {
    const bytes = messages[name]?.encode({}).finish();
    expect(bytes).toHaveLength(0);
    expect(builds).toHaveBeenCalledOnce();
  }
  const folder = join(dirname(main), 'protobufs/generated');
  // Those in lower case are no types, and the library has them as little.
  const names = globSync('*.json', { cwd: folder })
    .flatMap((file) => Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')).nested ?? {}))
    .flatMap(([name, what]) => (/^[A-Z]/.test(name) && Object.hasOwn(Object(what), 'fields') ? [name] : []));
  expect(names.length).toBeGreaterThan(1_000);
  expect(names.filter((name) => messages[name] === undefined)).toEqual([]);
  for (const name of names) expect(messages[name]?.toObject({}, {})).toEqual({});
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

it('loads for a login neither message types nor the names of all domains', () => {
  // In a process of its own: here steam-user has been loaded, and steam-session with it.
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', loadingSession]);
  expect(JSON.parse(String(loaded))).toEqual({ login: 'function', built: 0, hasDomains: false });
});

const loadingSession = `
  import { createRequire } from 'node:module';
  import { loadSteamSession } from ${JSON.stringify(import.meta.resolve('../src/platform/library/steam-user-loading.ts'))};
  const ofLibrary = createRequire(createRequire(${JSON.stringify(import.meta.url)}).resolve('steam-user'));
  const { Root } = ofLibrary('protobufjs');
  let built = 0;
  const { addJSON } = Root.prototype;
  Root.prototype.addJSON = function (...json) {
    built += 1;
    return addJSON.apply(this, json);
  };
  const { LoginSession } = loadSteamSession();
  const names = createRequire(ofLibrary.resolve('@doctormckay/stdlib')).resolve('psl');
  const hasDomains = ofLibrary.cache[names]?.exports.parse !== undefined;
  console.log(JSON.stringify({ login: typeof LoginSession, built, hasDomains }));
`;
