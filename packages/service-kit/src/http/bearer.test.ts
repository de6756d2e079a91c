import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Secret } from '../secret.ts';
import { bearerToken, keyCheck } from './bearer.ts';

it('accepts the key and nothing else', () => {
  const isKey = keyCheck(new Secret('k3y'));
  expect(isKey('k3y')).toBe(true);
  fc.assert(
    fc.property(fc.string(), (given) => {
      expect(isKey(given)).toBe(given === 'k3y');
    }),
  );
});

it.each([
  ['Bearer k3y', 'k3y'],
  ['bearer  k3y ', 'k3y'],
  ['Bearer ', ''],
  ['Basic k3y', undefined],
  ['k3y', undefined],
  [undefined, undefined],
])('reads the token of %j as %j', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
