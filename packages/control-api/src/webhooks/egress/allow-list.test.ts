import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAddress } from '../../ip-networks.ts';
import { AllowList, readAllowed } from './allow-list.ts';

it.each([
  'ntfy.lan',
  'NTFY',
  'my_host',
  'xn--bcher-kva.lan',
  'bücher.lan',
  '192.168.1.5',
  '192.168.1.0/24',
  '0.0.0.0/0',
  'fd00::1',
  'fd00::/8',
  '::/0',
  '::ffff:192.168.1.5',
])('%s can be listed', (text) => {
  expect(readAllowed(text)).toBeDefined();
});

it.each([
  '',
  '*',
  '*.lan',
  '.lan',
  'ntfy.lan.',
  'ntfy.lan:8080',
  'ntfy.lan/24',
  'http://ntfy.lan',
  'user@ntfy.lan',
  'two names',
  '192.168.1',
  '10.1',
  '0x7f.1',
  '192.168.1.0/33',
  '192.168.1.0/-1',
  '192.168.1.0/',
  '192.168.1.0/24/24',
  '192.168.1.*',
  '192.168.1.256',
  'fd00::/129',
  '[fd00::1]',
  '::ffff:192.168.1.0/120',
])('%s cannot', (text) => {
  expect(readAllowed(text)).toBeUndefined();
});

it('lists a network by its first bits, and an address alone', () => {
  const list = new AllowList(
    ['192.168.1.77/24', 'fd00::/8', '10.0.0.1'].flatMap((text) => readAllowed(text) ?? []),
  );
  const has = (text: string) => {
    const address = readAddress(text);
    return address !== undefined && list.hasAddress(address);
  };
  for (const inside of ['192.168.1.0', '192.168.1.255', '::ffff:192.168.1.5', 'fdff::1', '10.0.0.1'])
    expect(has(inside), inside).toBe(true);
  for (const outside of ['192.168.2.0', '192.168.0.255', 'fe00::1', '10.0.0.2', '::c0a8:105'])
    expect(has(outside), outside).toBe(false);
});

it('reads whatever the operator wrote without a throw', () => {
  const text = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'0123456789abcdf.:/x-%[]@#?\\*') }));
  fc.assert(
    fc.property(text, (written) => {
      expect(() => readAllowed(written)).not.toThrow();
    }),
  );
});
