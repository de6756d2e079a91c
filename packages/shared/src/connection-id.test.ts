import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConnectionId,
  identityOf,
  joinPathOf,
  joinPaths,
  parseConnectionId,
  printConnectionId,
} from './connection-id.ts';

const uint64 = fc.bigInt(0n, 2n ** 64n - 1n);
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const connectionId: fc.Arbitrary<ConnectionId> = fc.oneof(
  fc.record({ path: fc.constant('platform-relay' as const), account: uint64, port: uint32 }),
  fc.record({ path: fc.constant('network-p2p' as const), account: uint64 }),
  fc.record({ path: fc.constant('direct-ip' as const), session: fc.string() }),
);
const nearlyValid = fc
  .tuple(fc.constantFrom('SN_', 'GN_', 'L_', 'sn_', 'SN', ''), fc.stringMatching(/^[0-9_+\-. x]{0,24}$/))
  .map((parts) => parts.join(''));

describe('a connection id', () => {
  it.each<[string, ConnectionId]>([
    ['SN_76561198000000001_0', { path: 'platform-relay', account: 76561198000000001n, port: 0 }],
    ['SN_1_4294967295', { path: 'platform-relay', account: 1n, port: 4294967295 }],
    ['SN_0_0', { path: 'platform-relay', account: 0n, port: 0 }],
    ['GN_18446744073709551615', { path: 'network-p2p', account: 18446744073709551615n }],
    ['L_192.168.0.7:24642', { path: 'direct-ip', session: '192.168.0.7:24642' }],
    ['L_SN_1_2', { path: 'direct-ip', session: 'SN_1_2' }],
    ['L_', { path: 'direct-ip', session: '' }],
  ])('is read from %j', (text, id) => {
    expect(parseConnectionId(text)).toEqual({ ok: true, value: id });
    expect(printConnectionId(id)).toBe(text);
  });

  it.each([
    ['SN_0076561198000000001_07', 'SN_76561198000000001_7'],
    ['GN_007', 'GN_7'],
  ])('with leading zeros, %s, is the same as %s', (text, canonical) => {
    const parsed = parseConnectionId(text);
    expect(parsed.ok && printConnectionId(parsed.value)).toBe(canonical);
  });

  it('is read back as it was printed', () => {
    fc.assert(
      fc.property(connectionId, (id) => {
        expect(parseConnectionId(printConnectionId(id))).toEqual({ ok: true, value: id });
      }),
    );
  });

  it('is printed back as it was accepted, apart from leading zeros, or refused with a reason', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyValid, anyText()), (text) => {
        const parsed = parseConnectionId(text);
        if (parsed.ok) {
          const canonical = text.startsWith('L_') ? text : text.replace(/_0+(?=[0-9])/g, '_');
          expect(printConnectionId(parsed.value)).toBe(canonical);
        } else {
          expect(parsed.reason).not.toBe('');
        }
      }),
    );
  });

  it.each([
    ['', 'does not begin with'],
    ['76561198000000001', 'does not begin with'],
    ['sn_1_2', 'does not begin with'],
    ['gn_1', 'does not begin with'],
    ['l_1', 'does not begin with'],
    [' SN_1_2', 'does not begin with'],
    ['SN_', 'no _ between'],
    ['SN_123', 'no _ between'],
    ['SN__5', 'account is empty'],
    ['SN_123_', 'port is empty'],
    ['SN_x_1', 'account is not a decimal'],
    ['SN_1_x', 'port is not a decimal'],
    ['SN_1_2_3', 'port is not a decimal'],
    ['SN_1_4294967296', 'port is larger'],
    ['SN_18446744073709551616_1', 'account is outside'],
    ['SN_+1_2', 'account is not a decimal'],
    ['SN_-1_2', 'account is negative'],
    ['SN_ 1_2', 'account is not a decimal'],
    ['SN_1_ 2', 'port is not a decimal'],
    ['SN_٣_1', 'account is not a decimal'],
    ['GN_', 'account is empty'],
    ['GN_abc', 'account is not a decimal'],
    ['GN_-1', 'account is negative'],
    ['GN_+1', 'account is not a decimal'],
    ['GN_1 ', 'account is not a decimal'],
    ['GN_1_2', 'account is not a decimal'],
    ['GN_18446744073709551616', 'account is outside'],
  ])('is not read from %j: %s', (text, reason) => {
    expect(parseConnectionId(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

describe('the identity behind a connection', () => {
  it.each([
    ['SN_76561198000000001_0', { space: 'platform', id: 76561198000000001n }],
    ['GN_46781234567890123', { space: 'network', id: 46781234567890123n }],
    ['L_127.0.0.1', undefined],
  ])('of %s is of the right space', (text, identity) => {
    const parsed = parseConnectionId(text);
    expect(parsed.ok && identityOf(parsed.value)).toEqual(identity);
  });

  it('is of the space that the join path names', () => {
    fc.assert(
      fc.property(connectionId, (id) => {
        const path = joinPaths.find((joinPath) => joinPath.path === id.path);
        expect(identityOf(id)?.space ?? null).toBe(path?.identity);
      }),
    );
  });
});

describe('a join path', () => {
  it('is told from the prefix even where the rest is malformed', () => {
    expect(joinPathOf('SN_x')?.path).toBe('platform-relay');
    expect(joinPathOf('GN_')?.path).toBe('network-p2p');
    expect(joinPathOf('X_1')).toBeUndefined();
  });

  it('leads through one door only', () => {
    const doors = joinPaths.flatMap((joinPath) => [...joinPath.doors]);
    expect(new Set(doors).size).toBe(doors.length);
    expect(doors).toEqual(['friends list', 'S-prefix invite code', 'G-prefix invite code', 'direct IP']);
  });
});
