import { boolean, integer } from '../../kinds.ts';
import { scopeNames } from '../../scopes.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';
import { keyExpiry, keyId, keyLimits, keyName, keyScopes, newKeyName } from '../key-parameters.ts';

const eitherIdOrName = ['id', 'name'] as const;

const oneKey = {
  id: optional(keyId, {
    means: 'The id of the key. Exactly one of id and name must be given.',
    example: 'key_5b1f0c9a7d24',
  }),
  name: optional(keyName, {
    means: 'Its name, in any case. Exactly one of id and name must be given.',
    example: 'status page',
  }),
};

/** What can become of a change of keys, which this service makes itself. */
const changeProblems = [
  'idempotency-key-reused',
  'state-unwritable',
  'game-unavailable',
  'outcome-unknown',
] as const;

const { usualGraceSeconds, longestGraceSeconds } = keyLimits;

export const keyEndpoints = {
  getCaller: {
    on: 'GET /whoami',
    group: 'Keys',
    scope: scopeNames,
    summary: 'The name and the scopes of this key',
    description: 'For every key. Without an API_KEY everybody is `open`, and may do everything.',
  },
  listKeys: {
    on: 'GET /keys',
    group: 'Keys',
    scope: 'admin',
    summary: 'All keys and their scopes',
    description:
      'The newest first, without the secrets: a secret is shown only once, when the key is created.',
    query: {
      ended: optional(boolean, { means: 'Whether to list revoked and expired keys, too' }),
    },
  },
  createKey: {
    on: 'POST /keys',
    group: 'Keys',
    scope: 'admin',
    summary: 'Create a key that can do less than API_KEY',
    description:
      'The answer has the key in `secret`, only once: only its SHA-256 is stored. A retry with the same Idempotency-Key returns the same key with `secretShown` instead of the secret; if you lost that, POST /keys/rotate makes a new one. API_KEY must be set: without it everybody may do everything.',
    query: {
      name: required(newKeyName, {
        means: 'Its name in the audit; no other active key may have it',
        example: 'status page',
      }),
      scopes: required(keyScopes, {
        means:
          'What it may do, separated by commas; no scope includes another, except admin, which includes all',
        example: 'read,chat',
      }),
      expires: optional(keyExpiry, {
        means:
          'When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default',
        example: '30d',
      }),
    },
    problems: [...changeProblems, 'key-name-taken', 'too-many-keys', 'keys-need-api-key'],
    audit: 'key made',
  },
  revokeKey: {
    on: 'DELETE /keys',
    group: 'Keys',
    scope: 'admin',
    summary: 'Revoke a key',
    description: 'It stops working at once, and its open connections are closed.',
    query: oneKey,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'key-not-found'],
    audit: 'key revoked',
  },
  rotateKey: {
    on: 'POST /keys/rotate',
    group: 'Keys',
    scope: 'admin',
    summary: 'Give a key a new secret',
    description:
      'Its id, name, scopes and expiry stay. The previous secret works for `graceSeconds`, so that its user can change it; the one before that ends at once. Use `graceSeconds=0` for a leaked secret.',
    query: {
      ...oneKey,
      graceSeconds: optional(integer({ min: 0, max: longestGraceSeconds }), {
        means: `How long the previous secret still works; ${usualGraceSeconds} by default`,
        example: 86_400,
      }),
    },
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'key-not-found', 'keys-need-api-key'],
    audit: 'key rotated',
  },
} as const satisfies Endpoints;
