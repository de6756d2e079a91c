import { systemClock } from '@steward/service-kit/clock';
import { freePort } from '@steward/testing/free-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../../src/commands/doctor/ask.ts';
import { Emulated } from '../world/emulated.ts';
import { doctorsAccounts, examined, onlyFailure, statuses } from '../world/examined.ts';
import { fastClock } from '../world/fast-clock.ts';
import { proxyAt, through } from '../world/through.ts';

let world: Emulated;
beforeEach(async () => {
  world = await Emulated.start({ accounts: doctorsAccounts });
});
afterEach(() => world[Symbol.asyncDispose]());

const token = () => world.platform.refreshToken('ann');

describe('the way to the platform', () => {
  const rest = ['web-api', 'clock', 'connection-managers', 'content-servers', 'login', 'ownership', 'ticket'];

  it('fails for a proxy that is not there', async () => {
    const found = await examined(world, {
      PLATFORM_REFRESH_TOKEN: token(),
      PLATFORM_PROXY: `http://127.0.0.1:${await freePort()}`,
    });
    onlyFailure(found, 'proxy', /PLATFORM_PROXY does not accept connections \(ECONNREFUSED\)/, 'network');
    expect(statuses(found, 'skipped')).toEqual(expect.arrayContaining(rest));
    expect(found.line('login').found).toBe('because of the line "Proxy"');
  });

  it('fails for a machine without DNS', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'EAI_AGAIN' }));
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token(), PLATFORM_PROXY: '' }, { lookup });
    onlyFailure(found, 'names', /does not resolve \(EAI_AGAIN\)/, 'network');
  });

  it.each([
    [
      'a proxy that refuses',
      { when: { kind: 'proxy', host: /^api/ }, fault: { status: 407 } },
      /the proxy answers 407/,
    ],
    ['a web API that is down', { when: { kind: 'web-api' }, fault: { status: 503 } }, /answers 503/],
    [
      'a web API that breaks off',
      { when: { kind: 'web-api' }, fault: { resetAtByte: 0 } },
      /cannot be reached through the proxy \(ECONNRESET\)/,
    ],
  ] as const)('fails for %s', async (_name, rule, text) => {
    world.platform.faults.add(rule);
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
    onlyFailure(found, 'web-api', text, 'network');
    expect(statuses(found, 'skipped')).toEqual(expect.arrayContaining(rest.slice(1)));
  });

  it('fails for connection managers that are cut off', async () => {
    world.platform.faults.add({ when: { kind: 'proxy', host: /steamserver/ }, fault: { status: 502 } });
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
    onlyFailure(
      found,
      'connection-managers',
      /cm-emulator\.steamserver\.net cannot be reached through the proxy/,
      'network',
    );
    expect(statuses(found, 'ok')).toContain('content-servers');
  });

  it('fails for a platform that hangs, within the limit', async () => {
    world.platform.faults.add({ when: { kind: 'web-api' }, fault: { stallAtByte: 0 } });
    // Slow enough for the checks that do not hang, on a machine that is busy.
    const clock = fastClock(4);
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() }, { clock });
    onlyFailure(found, 'web-api', /^took longer than 12 s$/, 'network');
  });

  it.each([
    [-600_000, 'failed', /^600 s ahead of/],
    [600_000, 'failed', /^600 s behind/],
    [60_000, 'warning', /^60 s behind/],
    [5_000, 'ok', /^within 30 s/],
  ])('with a platform whose clock is %i ms ahead: %s', async (skew, status, text) => {
    // Both clocks stand at a whole second, as the platform says no more: between two that go on, a second may pass.
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    await using other = await Emulated.start({ accounts: doctorsAccounts, now: () => now });
    const minted = other.platform.refreshToken('ann');
    other.platform.faults.clockSkewMs = skew;
    const clock = { ...systemClock, date: () => new Date(now) };
    const found = await examined(other, { PLATFORM_REFRESH_TOKEN: minted }, { clock });
    expect(found.line('clock').status).toBe(status);
    expect(found.line('clock').found).toMatch(text);
  });
});

it.each([
  [[{ name: 'dead', dead: true }], 'failed', /127\.0\.0\.1:\d+ cannot be reached directly \(ECONNREFUSED\)/],
  [[{ name: 'dead', dead: true }, { name: 'good' }], 'warning', /^1 of 2 answer/],
] as const)('says how the content servers are: %j', async (contentHosts, status, text) => {
  await using other = await Emulated.start({ accounts: doctorsAccounts, contentHosts });
  const found = await examined(other, { PLATFORM_REFRESH_TOKEN: other.platform.refreshToken('ann') });
  expect(found.line('content-servers')).toMatchObject({ status, found: expect.stringMatching(text) });
  expect(statuses(found, 'ok')).toContain('login');
});

it('reaches a content server without TLS through the proxy, too, where it is not on this machine', async () => {
  const proxy = proxyAt(world.platform.proxyUrl);
  const route = { proxyFor: () => proxy, ...through(world.platform.proxyUrl) };
  const [host] = world.platform.cdn.hosts;
  await ask(new URL(`http://${host?.address}/`), route);
  expect(world.platform.record.count({ kind: 'proxy', host: host?.address ?? '' })).toBe(1);
});
