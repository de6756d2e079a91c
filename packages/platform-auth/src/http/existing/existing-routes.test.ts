import { expect, it } from 'vitest';
import { isPrivate } from './existing-routes.ts';

it.each([
  '127.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.2',
  '169.254.0.9',
  '::1',
  'fd00::12',
  'fe80::1%eth0',
  '::ffff:172.18.0.3',
  '::FFFF:10.0.0.1',
])('takes %s for a private address', (address) => {
  expect(isPrivate(address)).toBe(true);
});

it.each([
  '8.8.8.8',
  '172.32.0.1',
  '172.15.255.255',
  '192.169.0.1',
  '11.0.0.1',
  '2001:db8::1',
  '::ffff:8.8.8.8',
  '::',
  'nonsense',
  '',
  undefined,
])('takes %s for a public one', (address) => {
  expect(isPrivate(address)).toBe(false);
});
