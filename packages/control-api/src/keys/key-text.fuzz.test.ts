import { bearerToken, keyCheck } from '@steward/service-kit/http/bearer';
import { Secret } from '@steward/service-kit/secret';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { anyText } from '@steward/testing/hostile/text';
import { withstand } from '@steward/testing/hostile/withstand';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeptKeys } from '../store/kept/keys.ts';
import { owner, ownerBy } from './caller.ts';
import { hashOf, newSecret } from './key-index.ts';
import { KeyRing } from './key-ring.ts';

const ownersKey = 'the-owner\u2019s k3y';
const [secret, old, ended] = [newSecret(), newSecret(), newSecret()];

const common = {
  scopes: ['read'],
  createdAt: 0,
  expiresAt: null,
  oldHash: null,
  oldUntil: null,
  usedAt: null,
  endedAt: null,
  ended: null,
} as const;

function ringOfTwo(): KeyRing {
  const keys = [
    {
      ...common,
      id: 'key_000000000001',
      name: 'bot',
      hash: hashOf(secret),
      oldHash: hashOf(old),
      oldUntil: Number.MAX_SAFE_INTEGER,
    },
    {
      ...common,
      id: 'key_000000000002',
      name: 'gone',
      hash: hashOf(ended),
      ended: 'revoked',
      endedAt: 1,
    } as const,
  ];
  const kept = new KeptKeys({
    kept: () => keys,
    noDatabase: () => undefined,
    writer: { write: async () => 1 },
  });
  const operations = { carryOut: () => Promise.reject(new Error('nothing is changed here')) };
  const ring = new KeyRing({
    kept,
    operations,
    clock: new ManualClock(),
    log: { info: () => {} },
    hasOwner: true,
  });
  ring.load();
  return ring;
}

const { callerOf, refusalOf } = ownerBy(keyCheck(new Secret(ownersKey)), ringOfTwo());
const right = new Set([secret, old]);

it('who brings API_KEY is the owner, also where a key of the ring has the same secret', () => {
  const { callerOf: callerOfEither } = ownerBy(keyCheck(new Secret(secret)), ringOfTwo());
  expect(callerOfEither(secret)).toBe(owner);
  expect(callerOfEither(old)?.name).toBe('bot');
});

/** Keys as they are, and as somebody gets them wrong. */
const nearly = fc.constantFrom(secret, old, ended, ownersKey).chain((key) =>
  fc.oneof(
    fc.constant(key),
    fc.constant(hashOf(key)),
    fc.constantFrom(
      key.toUpperCase(),
      key.toLowerCase(),
      `${key}\0`,
      ` ${key}`,
      `${key} `,
      `${key}=`,
      encodeURIComponent(key),
    ),
    fc
      .tuple(fc.nat(key.length), fc.string({ maxLength: 3 }))
      .map(([at, text]) => key.slice(0, at) + text + key.slice(at)),
    fc.nat(key.length - 1).map((at) => key.slice(0, at) + key.slice(at + 1)),
    fc.nat(key.length).map((at) => key.slice(0, at)),
    fc.constant(key.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) ^ 1))),
    damaged(fc.constant(Buffer.from(key))).map((bytes) => bytes.toString('latin1')),
  ),
);
const anything = fc.oneof(
  nearly,
  anyText(),
  garbage().map((bytes) => bytes.toString('latin1')),
  fc.stringMatching(/^stw_[A-Za-z0-9_-]{43}$/),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'stw_', 'owner', 'open', 'key_000000000001'),
);

it('nothing but a key itself gets in, as a token and as a header', { timeout: 3_600_000 }, () => {
  fc.assert(
    fc.property(anything, fc.constantFrom('Bearer ', 'bearer  ', 'Basic ', 'Bearer', ''), (text, scheme) => {
      const caller = withstand(() => callerOf(text));
      expect(caller?.name).toBe(text === ownersKey ? owner.name : right.has(text) ? 'bot' : undefined);
      if (caller === undefined) {
        const { code, message } = withstand(() => refusalOf(text));
        expect(code).toBe(text === ended ? 'key-ended' : 'unauthorized');
        expect(message.includes('revoked')).toBe(text === ended);
        expect(message).not.toContain(secret);
      }
      const header = `${scheme}${text}`;
      const token = withstand(() => bearerToken(header));
      const isIn = token !== undefined && callerOf(token) !== undefined;
      // Spaces around it are the header's own.
      const brought = /^bearer +(.*)$/is.exec(header)?.[1]?.trim() ?? '';
      expect(isIn).toBe([ownersKey, secret, old].includes(brought));
    }),
    { numRuns: count({ small: 2_000, long: 1_000_000 }) },
  );
});
