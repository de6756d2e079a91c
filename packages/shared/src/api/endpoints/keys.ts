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
    summary: 'Whose key this is, and what it is good for',
    description: 'For every key. Where the server has no API_KEY everybody is `open`, and may do everything.',
  },
  listKeys: {
    on: 'GET /keys',
    group: 'Keys',
    scope: 'admin',
    summary: 'The keys that there are, and what each is good for',
    description: 'The newest first, and never what a key is: that is shown once, to who makes it.',
    query: {
      ended: optional(boolean, { means: 'Whether those that were revoked or have expired are listed, too' }),
    },
  },
  createKey: {
    on: 'POST /keys',
    group: 'Keys',
    scope: 'admin',
    summary: 'Make a key that can do less than API_KEY',
    description:
      'The answer has the key in `secret`, this once: only its SHA-256 is kept. Sent again under the same Idempotency-Key it answers the same key with `secretShown` in place of the secret; if that was lost, POST /keys/rotate makes another. It needs API_KEY to be set: without it everybody may do everything.',
    query: {
      name: required(newKeyName, {
        means: 'What the record calls whoever uses it; no other key that has not ended has the name',
        example: 'status page',
      }),
      scopes: required(keyScopes, {
        means: 'What it is good for, between commas; none implies another, but admin is good for everything',
        example: 'read,chat',
      }),
      expires: optional(keyExpiry, {
        means:
          'When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said',
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
    summary: 'Take a key back',
    description: 'From the answer on it is good for nothing, and what it had open is closed.',
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
      'Its id, name, scopes and expiry stay. The secret before works for the grace, so that whoever uses it can change it; the one before that ends at once. `graceSeconds=0` is for a secret that has leaked.',
    query: {
      ...oneKey,
      graceSeconds: optional(integer({ min: 0, max: longestGraceSeconds }), {
        means: `For how long the secret before still works; ${usualGraceSeconds} where nothing is said`,
        example: 86_400,
      }),
    },
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'key-not-found', 'keys-need-api-key'],
    audit: 'key rotated',
  },
} as const satisfies Endpoints;
