import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
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

/** How many bytes of each side are compared in constant time meanwhile, each time that any are. */
function comparedIn(work: () => void): readonly (readonly [number, number])[] {
  const { timingSafeEqual } = crypto;
  const compared: [number, number][] = [];
  crypto.timingSafeEqual = (one, other) => {
    compared.push([one.byteLength, other.byteLength]);
    return timingSafeEqual(one, other);
  };
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    crypto.timingSafeEqual = timingSafeEqual;
    syncBuiltinESMExports();
  }
  return compared;
}

it('compares whatever is given in constant time, over as many bytes however much of the key it has', () => {
  const isKey = keyCheck(new Secret('k3y'));
  const given = ['k3y', 'k3x', 'x3y', 'k', '', 'k3y4', 'x'.repeat(1_000)];
  const answers: boolean[] = [];
  const compared = comparedIn(() => {
    for (const each of given) answers.push(isKey(each));
  });
  expect(answers).toEqual(given.map((each) => each === 'k3y'));
  expect(compared).toEqual(given.map(() => [256, 256]));
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
