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

it('does not take a key for the key that differs in one place, wherever that is', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 400 }), fc.nat(), fc.string(), (key, place, other) => {
      const at = place % key.length;
      const isKey = keyCheck(new Secret(key));
      expect(isKey(key)).toBe(true);
      const near = [
        `${key.slice(0, at)}${other}${key.slice(at + 1)}`,
        key.slice(0, at),
        key.slice(at + 1),
        `${key}${key.charAt(at)}`,
        `${key}\0`,
      ];
      for (const given of near) expect(isKey(given)).toBe(given === key);
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
