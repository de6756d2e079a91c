import { expect, it } from 'vitest';
import { isPrivate, isWithin, printNetwork, readAddress, readNetwork } from './ip-networks.ts';

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['198.51.100.7/32', '198.51.100.7'],
  ['198.51.100.77/24', '198.51.100.0/24'],
  ['198.51.103.77/22', '198.51.100.0/22'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:DB8:0:0::7', '2001:db8::7'],
  ['2001:db8:ffff::7/33', '2001:db8:8000::/33'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::/0', '::/0'],
])('writes %s as %s, and that as itself', (text, written) => {
  const network = readNetwork(text);
  expect(network && printNetwork(network)).toBe(written);
  const again = readNetwork(written);
  expect(again && printNetwork(again)).toBe(written);
});

it.each(['', '1.2.3', '1.2.3.4/33', '1.2.3.4/', '1.2.3.4/8/8', '::ffff:1.2.3.4/120', 'fe80::1%eth0', 'x'])(
  'reads no network in %s',
  (text) => {
    expect(readNetwork(text)).toBeUndefined();
  },
);

it.each([
  ['10.1.2.3', true],
  ['127.0.0.1', true],
  ['169.254.1.1', true],
  ['100.64.0.1', true],
  ['172.17.0.1', true],
  ['fd00::1', true],
  ['::1', true],
  ['8.8.8.8', false],
  ['198.51.100.7', false],
  ['2a00::1', false],
])('knows whether many a network has %s: %s', (text, expected) => {
  const address = readAddress(text);
  expect(address && isPrivate(address)).toBe(expected);
});

it('finds an address in its network alone', () => {
  const network = readNetwork('198.51.100.0/24');
  const isIn = (text: string) => {
    const address = readAddress(text);
    return network !== undefined && address !== undefined && isWithin(address, network);
  };
  expect(
    ['198.51.100.0', '198.51.100.255', '::ffff:198.51.100.9', '198.51.101.0', '::c633:6409'].map(isIn),
  ).toEqual([true, true, true, false, false]);
});
