import { z } from 'zod';
import { type Scope, scopeNames } from '../../scopes.ts';
import { timestamp } from '../../wire-values.ts';
import type { keyEndpoints } from '../endpoints/keys.ts';
import { type Answers, changed } from './parts.ts';

const scopeList = z.array(z.enum(scopeNames as readonly [Scope, ...Scope[]]));

/** What anybody may know of a key who may know of keys. */
export const keyFacts = z
  .object({
    id: z.string().meta({ examples: ['key_5b1f0c9a7d24'] }),
    name: z.string(),
    scopes: scopeList,
    state: z.enum(['active', 'revoked', 'expired']),
    createdAt: timestamp,
    expiresAt: timestamp.optional().meta({ description: 'Absent if it never ends by itself' }),
    lastUsedAt: timestamp
      .optional()
      .meta({ description: 'Accurate to the minute; absent if it was never used' }),
    endedAt: timestamp.optional().meta({ description: 'When it was revoked or expired' }),
    oldSecretUntil: timestamp
      .optional()
      .meta({ description: 'How long the secret from before the last rotation still works' }),
  })
  .meta({ id: 'Key' });

export type KeyFacts = z.infer<typeof keyFacts>;

const secretOnce = {
  secret: z
    .string()
    .optional()
    .meta({ description: 'The key itself: shown only in this answer', examples: ['stw_…'] }),
  secretShown: z
    .literal(true)
    .optional()
    .meta({ description: 'Instead of the secret, if the first answer to this request had it' }),
};

const caller = z
  .object({
    name: z
      .string()
      .meta({ description: '`owner` for API_KEY, `open` without one, otherwise the name of the key' }),
    keyId: z.string().optional().meta({ description: 'Absent for the owner, and on a server without a key' }),
    scopes: scopeList,
    expiresAt: timestamp.optional().meta({ description: 'Absent if it never ends by itself' }),
  })
  .meta({ id: 'Caller' });

export const keyAnswers = {
  getCaller: { 200: caller },
  listKeys: { 200: z.object({ keys: z.array(keyFacts) }).meta({ id: 'Keys' }) },
  createKey: { 200: z.object({ ...changed, key: keyFacts, ...secretOnce }).meta({ id: 'KeyMade' }) },
  revokeKey: { 200: z.object({ ...changed, key: keyFacts }).meta({ id: 'KeyRevoked' }) },
  rotateKey: { 200: z.object({ ...changed, key: keyFacts, ...secretOnce }).meta({ id: 'KeyRotated' }) },
} satisfies Record<keyof typeof keyEndpoints, Answers>;
