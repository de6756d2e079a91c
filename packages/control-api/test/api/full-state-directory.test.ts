import { readdirSync } from 'node:fs';
import { fillDisk } from '@steward/testing/full-disk';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, expect, it, vi } from 'vitest';
import { settled } from '../game/stage/stage.ts';
import { openApi } from './stage/open-api.ts';
import { keysForQueries } from './stage/operations.ts';

afterEach(() => fillDisk(false));

const storeWriter = new URL('../store/full-writer.ts', import.meta.url);
const patience = { interval: 5, timeout: 10_000 };

/** An API whose STATE_DIR is full from now on. */
async function openFull(more: { readonly settings?: string } = {}) {
  const directory = temporaryDirectory();
  const api = await openApi({ directory: directory.path, storeWriter, ...keysForQueries, ...more });
  fillDisk(true);
  return {
    api,
    /** There is room again, and the next look sees it. */
    async room() {
      fillDisk(false);
      api.clock.advance(4_999);
      api.farm.tick();
      await settled();
      api.clock.advance(1);
      await vi.waitFor(() => expect(api.disk.problem).toBeUndefined(), patience);
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

it.each([
  ['POST', '/time?value=700'],
  ['POST', '/rendering?fps=5'],
  ['POST', '/roles/admin?name=Ann'],
  ['POST', '/farmhands/rebind?name=Bob&identity=46265193014'],
  ['POST', '/farmhands/release?name=Bob'],
  ['DELETE', '/farmhands?name=Bob'],
  ['POST', '/keys?name=status+page&scopes=read'],
  ['POST', '/keys/rotate?name=bot'],
  ['DELETE', '/keys?name=bot'],
  ['POST', '/drain?when=now'],
] as const)(
  '%s %s is refused as what cannot be kept, and done under the same key once there is room',
  async (method, url) => {
    await using full = await openFull();
    const { api } = full;
    const headers = { 'idempotency-key': 'k-1' };
    const refused = await api.ask(method, url, { headers });
    expect(refused.exact).toMatchObject({
      status: 503,
      code: 'state-unwritable',
      retry: true,
      detail: expect.stringContaining('Free some space'),
    });
    expect(refused.headers['retry-after']).toBe('5');
    await full.room();
    expect((await api.ask(method, url, { headers })).exact).toMatchObject({ success: true });
  },
);

it('a change of settings is refused, changes nothing, and is done under the same key once there is room', async () => {
  await using full = await openFull();
  const { api } = full;
  const headers = { 'idempotency-key': 'k-1' };
  const refused = await api.ask('POST', '/settings?maxPlayers=7', { headers });
  expect(refused.exact).toMatchObject({
    code: 'settings-unwritable',
    detail: expect.stringContaining('Free some space'),
  });
  fillDisk(false);
  expect((await api.ask('POST', '/settings?maxPlayers=7', { headers })).exact).toMatchObject({
    success: true,
  });
});

it('is an obstacle with its remedy, in the metrics, and goes away by itself', async () => {
  await using full = await openFull();
  const { api } = full;
  await api.ask('POST', '/time?value=700');
  for (const path of ['/status', '/health/ready'])
    expect((await api.ask('GET', path)).exact).toMatchObject({
      obstacles: [
        {
          code: 'state-unwritable',
          reason: expect.stringContaining('ENOSPC'),
          remedy: expect.stringContaining('Free some space'),
          since: '2026-11-21T00:00:00.000Z',
        },
      ],
    });
  expect((await api.ask('GET', '/metrics')).body).toContain('steward_state_unwritable 1');
  await full.room();
  expect((await api.ask('GET', '/health/ready')).exact).toMatchObject({ ready: true });
  expect((await api.ask('GET', '/metrics')).body).toContain('steward_state_unwritable 0');
});

it.each([
  [true, 'keeps players out'],
  [false, 'keeps nobody out'],
])('%s for EnforceFarmhandOwnership: %s', async (isEnforced) => {
  await using full = await openFull({
    settings: JSON.stringify({ Server: { EnforceFarmhandOwnership: isEnforced } }),
  });
  const { api } = full;
  api.disk.start();
  await vi.waitFor(() => expect(api.disk.problem).toMatchObject({ code: 'state-unwritable' }), patience);
  const obstacles = [{ code: 'state-unwritable' }];
  expect((await api.ask('GET', '/status')).exact).toMatchObject({ isJoinable: !isEnforced, obstacles });
  expect((await api.ask('GET', '/health/ready')).exact).toMatchObject({ ready: !isEnforced, obstacles });
});

it('is known before anybody is refused, and leaves nothing behind', async () => {
  await using full = await openFull();
  const { api } = full;
  api.disk.start();
  await vi.waitFor(() => expect(api.disk.problem).toMatchObject({ code: 'state-unwritable' }), patience);
  await full.room();
  expect(readdirSync(api.directory).filter((name) => name.startsWith('.'))).toEqual([]);
});
