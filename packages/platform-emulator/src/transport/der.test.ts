import { expect, it } from 'vitest';
import { element, integer, objectIdentifier } from './der.ts';

it.each([
  ['00', '020100'],
  ['7f', '02017f'],
  ['80', '02020080'],
  ['0001', '020101'],
  ['0000ff00', '020300ff00'],
])('writes the integer %s as %s, neither longer than it must be nor negative', (bytes, der) => {
  expect(integer(Buffer.from(bytes, 'hex')).toString('hex')).toBe(der);
});

it.each([
  [0x7f, '047f'],
  [0x80, '048180'],
  [0xff, '0481ff'],
  [0x100, '04820100'],
])('writes a length of %i as %s', (length, prefix) => {
  expect(element(0x04, Buffer.alloc(length)).toString('hex').startsWith(prefix)).toBe(true);
});

it('writes an object identifier with numbers of several bytes', () => {
  expect(objectIdentifier('1.2.840.10045.4.3.2').toString('hex')).toBe('06082a8648ce3d040302');
});
