import { type KeyFacts, keyFacts } from '@steward/shared/api/answers/keys';
import type { keyEndpoints } from '@steward/shared/api/endpoints/keys';
import { keyLimits } from '@steward/shared/api/key-parameters';
import { scopeNames } from '@steward/shared/scopes';
import type { KeyChanged } from '../../keys/key-ring.ts';
import { whichOf } from '../../store/named.ts';
import { appliedBy } from '../command-answers/game-command.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function keyHandlers({ keys }: Pick<HandlerParts, 'keys'>): Handlers<keyof typeof keyEndpoints> {
  return {
    getCaller({ caller: { name, keyId, scopes } }) {
      const expiresAt = keyId === undefined ? undefined : keys.expiryOf(keyId);
      return {
        name,
        scopes: scopeNames.filter((scope) => scopes.has(scope)),
        ...(keyId === undefined ? {} : { keyId }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
    },
    listKeys: ({ query: { ended = false } }) => ({ keys: [...keys.list({ ended })] }),
    async createKey({ query, idempotencyKey }) {
      const changed = await keys.create(query, idempotencyKey);
      return { ...done(changed, ({ name }) => `${name} has a key`), ...secretOnce(changed) };
    },
    async revokeKey({ query, idempotencyKey }) {
      const changed = await keys.revoke(whichOf(query), idempotencyKey);
      return done(changed, ({ name }) => `The key of ${name} no longer works`);
    },
    async rotateKey({ query, idempotencyKey }) {
      const { graceSeconds = keyLimits.usualGraceSeconds } = query;
      const changed = await keys.rotate(whichOf(query), graceSeconds, idempotencyKey);
      return { ...done(changed, rotatedSays), ...secretOnce(changed) };
    },
  };
}

function done({ result }: KeyChanged, says: (key: KeyFacts) => string) {
  const { operationId, outcome } = appliedBy(result);
  const key = keyFacts.parse(outcome.after);
  return { success: true as const, message: says(key), operationId, key };
}

function secretOnce({ secret }: KeyChanged) {
  return secret === undefined ? { secretShown: true as const } : { secret };
}

function rotatedSays({ name, oldSecretUntil }: KeyFacts): string {
  const old = oldSecretUntil === undefined ? 'no more' : `until ${oldSecretUntil}`;
  return `${name} has a new key; the previous one works ${old}`;
}
