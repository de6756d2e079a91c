import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { openApi } from '../api/stage/open-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

const settings = JSON.stringify({ Server: { EnforceFarmhandOwnership: false } });
const listed = (rows: object) => JSON.stringify({ version: 1, ...rows });

/** A list on a volume of its own, which may be away. */
function linkedList(directory: string, rows: object) {
  const [state, share, away] = ['state', 'share', 'away'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [state, share]) mkdirSync(folder);
  const [link, file] = [join(state, 'bans.json'), join(share, 'bans.json')];
  writeFileSync(file, listed(rows));
  symlinkSync(file, link);
  return {
    state,
    link,
    file,
    unmount: () => renameSync(share, away),
    mount: () => renameSync(away, share),
  };
}

async function joins(api: Api, connectionId: string) {
  const [slot] = api.farm.state.farmhands;
  const answer = await api.farm.ask('mayJoin', { connectionId, slot });
  return (answer as { result?: { decision?: string } }).result?.decision;
}

async function obstacle(api: Api) {
  const { exact } = await api.ask('GET', '/status');
  return (exact['obstacles'] as { code: string; reason: string }[])[0];
}

const both = { bans: [{ identity: '5' }], allowlist: [{ identity: '5' }, { identity: '7' }] };

it('lets nobody in that starts while the list that bans.json links to is away, and leaves the link', async () => {
  using directory = temporaryDirectory();
  const { state, link, unmount, mount } = linkedList(directory.path, both);
  unmount();
  await using api = await openApi({ directory: state, settings });
  for (const anybody of ['GN_5', 'GN_7', 'GN_9']) expect(await joins(api, anybody)).toBe('refuse');
  expect(await obstacle(api)).toMatchObject({
    code: 'bans-unreadable',
    reason: expect.stringContaining('(the file that it links to is missing)'),
  });
  const change = await api.ask('POST', '/bans?identity=6');
  expect([change.statusCode, change.exact['code']]).toEqual([409, 'bans-unreadable']);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  mount();
  expect(await joins(api, 'GN_7')).toBe('game-decides');
  expect(await joins(api, 'GN_5')).toBe('refuse');
});

it('keeps to what it has read while the list that bans.json links to goes away', async () => {
  using directory = temporaryDirectory();
  const { state, unmount, mount } = linkedList(directory.path, both);
  await using api = await openApi({ directory: state, settings });
  unmount();
  for (const _ of ['one look', 'and another']) {
    expect(await joins(api, 'GN_5')).toBe('refuse');
    expect(await joins(api, 'GN_9')).toBe('refuse');
    expect(await joins(api, 'GN_7')).toBe('game-decides');
  }
  expect(await obstacle(api)).toMatchObject({ code: 'bans-outdated' });
  mount();
  expect(await joins(api, 'GN_5')).toBe('refuse');
  expect(await obstacle(api)).toBeUndefined();
});

it('leaves bans that are over in a list that bans.json links to, and the link', async () => {
  using directory = temporaryDirectory();
  const bans = [{ identity: '5', until: '2026-11-01' }];
  const { state, link, file } = linkedList(directory.path, { bans });
  const before = readFileSync(file, 'utf8');
  await using api = await openApi({ directory: state, settings });
  api.watch();
  expect((await api.ask('GET', '/bans')).exact).toEqual({ bans: [] });
  for (let second = 0; second < 15 * 60; second += 5) {
    api.clock.advance(5_000);
    api.farm.tick();
    await api.ask('GET', '/bans');
  }
  // Whatever is being written by then is written before this.
  await api.ask('DELETE', '/bans?identity=6');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('lifts every ban once the link is deleted, also beside one that is over, and writes no file in its place', async () => {
  using directory = temporaryDirectory();
  const bans = [{ identity: '5', until: '2026-11-01' }, { identity: '6' }];
  const { state, link } = linkedList(directory.path, { bans });
  const log = new PassThrough();
  let said = '';
  log.on('data', (chunk) => {
    said += String(chunk);
  });
  await using api = await openApi({ directory: state, settings, log });
  api.watch();
  // After ten minutes the clock is believed, and bans that are over go out of a file.
  for (let second = 0; second < 15 * 60; second += 5) {
    api.clock.advance(5_000);
    api.farm.tick();
    await api.ask('GET', '/bans');
  }
  expect(await joins(api, 'GN_6')).toBe('refuse');
  rmSync(link);
  // Only its own looks go by: each join would be one more.
  await expect
    .poll(() => {
      api.clock.advance(5_000);
      return said;
    })
    .toContain('was edited');
  expect(existsSync(link)).toBe(false);
  expect(await joins(api, 'GN_6')).toBe('game-decides');
});

it('lifts no ban while an editor puts the file aside and writes it anew', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'bans.json');
  writeFileSync(file, listed(both));
  await using api = await openApi({ directory: directory.path, settings });
  const still = async () => {
    expect(await joins(api, 'GN_5')).toBe('refuse');
  };
  renameSync(file, `${file}~`);
  await still();
  writeFileSync(file, listed(both).slice(0, 20));
  await still();
  writeFileSync(file, listed(both));
  await still();
  renameSync(file, `${file}~`);
  await still();
  // At the second look it is gone.
  expect(await joins(api, 'GN_5')).toBe('game-decides');
});

it('writes nothing again that was taken away with the file, whatever is changed right after', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'bans.json');
  writeFileSync(file, listed(both));
  await using api = await openApi({ directory: directory.path, settings });
  rmSync(file);
  await api.ask('POST', '/bans?address=203.0.113.9');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ bans: [{ address: '203.0.113.9' }] });
});
