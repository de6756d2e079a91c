import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '../secret.ts';

const scheme = /^Bearer +/i;

/** Whatever was sent is compared over at least so many bytes, so that the time tells nothing about the key's length. */
const leastCompared = 256;

/** Checks a key in constant time. */
export function keyCheck(key: Secret): (given: string) => boolean {
  const text = key.reveal();
  const size = Math.max(leastCompared, Buffer.byteLength(text));
  const expected = Buffer.alloc(size);
  expected.write(text);
  const compared = Buffer.alloc(size);
  return (given) => {
    compared.fill(0).write(given);
    // Both are looked at in any case; the lengths tell apart what padding made alike.
    const isAlike = timingSafeEqual(compared, expected);
    return isAlike && given.length === text.length;
  };
}

/** The key in an `Authorization: Bearer` header, if it is one. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  // As nearly every client writes it; the rest takes the pattern.
  if (authorization.startsWith('Bearer ')) return authorization.slice('Bearer '.length).trim();
  if (!scheme.test(authorization)) return undefined;
  return authorization.replace(scheme, '').trim();
}
