import { readJson } from '@steward/service-kit/json';
import type { Secret } from '@steward/service-kit/secret';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { uint64Text } from '@steward/shared/wire-values';
import { z } from 'zod';

const dayMs = 86_400_000;

// The library throws where nobody can catch it when a token is not exactly this.
const claims = z.object({
  iss: z.literal('steam'),
  sub: uint64Text,
  aud: z.array(z.string()).refine((aud) => aud.includes('client')),
  exp: z.number(),
  iat: z.number().optional(),
});

export interface RefreshToken {
  readonly platformId: string;
  readonly expiresAt: Date;
  /** Long ago where the token does not say it. */
  readonly issuedAt: Date;
}

const parts = 3;

/** What a refresh token says of itself. Only the platform can tell whether it still accepts it. */
export function readRefreshToken(token: Secret): Parsed<RefreshToken> {
  const payload = token.reveal().split('.');
  const parsed = claims.safeParse(
    payload.length === parts
      ? readJson(Buffer.from(payload[1] ?? '', 'base64url').toString('utf8'))
      : undefined,
  );
  if (!parsed.success) return refused('is not a refresh token for logging in');
  return accepted({
    platformId: parsed.data.sub,
    expiresAt: new Date(parsed.data.exp * 1000),
    issuedAt: new Date((parsed.data.iat ?? 0) * 1000),
  });
}

export function daysUntil(date: Date, now: Date): number {
  return Math.floor((date.getTime() - now.getTime()) / dayMs);
}
