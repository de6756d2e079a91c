import { hash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../secret.ts';

const scheme = /^Bearer +/i;

/** Checks a key in constant time: digests have one length, whatever was sent. */
export function keyCheck(key: Secret): (given: string) => boolean {
  const expected = digest(key.reveal());
  return (given) => timingSafeEqual(digest(given), expected);
}

/** The key in an `Authorization: Bearer` header, if it is one. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  // As nearly every client writes it; the rest takes the pattern.
  if (authorization.startsWith('Bearer ')) return authorization.slice('Bearer '.length).trim();
  if (!scheme.test(authorization)) return undefined;
  return authorization.replace(scheme, '').trim();
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
