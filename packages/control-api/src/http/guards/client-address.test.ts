import { createHttpServer } from '@steward/service-kit/http/http-server';
import { createLogger } from '@steward/service-kit/log/logger';
import { expect, it } from 'vitest';
import { addressOrNetwork, clientOf } from './client-address.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['[2001:db8::1]:51234', '2001:db8:0:0::/64'],
  ['[::ffff:192.0.2.7]:51234', '192.0.2.7'],
  ['not an address', 'not an address'],
])('counts %s as %s', (address, counted) => {
  expect(clientOf(address)).toBe(counted);
});

it('counts those who are gone before anybody asked for their address as one', () => {
  expect(clientOf(undefined)).toBe('gone');
});

it.each([
  '192.0.2.7',
  '10.0.0.0/8',
  '10.0.0.0/08',
  '0.0.0.0/1',
  '::1',
  '2001:db8::/32',
  '8000::/1',
  'fe80::1%eth0',
  '::ffff:192.0.2.7',
  '::ffff:10.0.0.0/104',
])('%s can be trusted, by the server as well', (text) => {
  expect(addressOrNetwork(text)).toBe(text);
  const logger = createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr);
  expect(() => createHttpServer(logger, { trustedProxies: [text] })).not.toThrow();
});

it.each(['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '10.0.0/8', '*'])(
  '%s is neither an address nor a network',
  (text) => {
    expect(addressOrNetwork(text)).toBeUndefined();
  },
);

it.each(['0.0.0.0/0', '10.0.0.0/00', '::/0', '::/000'])(
  '%s is everybody, of whom nobody is trusted',
  (text) => {
    expect(addressOrNetwork(text)).toBeUndefined();
  },
);
