import { Secret } from '@steward/service-kit/secret';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysUntil, readRefreshToken } from './refresh-token.ts';

const claims = { iss: 'steam', sub: '76561198860265729', aud: ['client', 'web'], exp: 1_800_000_000 };

function tokenOf(payload: unknown): Secret {
  return new Secret(`e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`);
}

it('reads whose it is and when it ends', () => {
  expect(readRefreshToken(tokenOf(claims))).toEqual({
    ok: true,
    value: { platformId: claims.sub, issuedAt: new Date(0), expiresAt: new Date(1_800_000_000_000) },
  });
});

it.each([
  ['of another issuer', { ...claims, iss: 'r:1' }],
  ['for a browser', { ...claims, aud: ['web'] }],
  ['without an account', { ...claims, sub: 'ann' }],
  ['without an end', { ...claims, exp: undefined }],
  ['that is a number', 7],
])('refuses a token %s, which the library would throw at', (_what, payload) => {
  expect(readRefreshToken(tokenOf(payload)).ok).toBe(false);
});

it('never throws, whatever it is given', () => {
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.base64String(), { maxLength: 4 }).map((parts) => parts.join('.')),
  );
  fc.assert(
    fc.property(text, (token) => {
      expect(readRefreshToken(new Secret(token)).ok).toBe(false);
    }),
  );
});

it('counts whole days, negative ones after the end', () => {
  const end = new Date('2026-11-21T12:00:00Z');
  expect(daysUntil(end, new Date('2026-11-20T13:00:00Z'))).toBe(0);
  expect(daysUntil(end, new Date('2026-11-01T12:00:00Z'))).toBe(20);
  expect(daysUntil(end, new Date('2026-11-22T11:00:00Z'))).toBe(-1);
});
