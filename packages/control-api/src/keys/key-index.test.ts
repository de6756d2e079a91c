import { expect, it } from 'vitest';
import type { KeptKey } from '../store/tables/keys.ts';
import { hashOf, KeyIndex } from './key-index.ts';

const key: KeptKey = {
  id: 'key_000000000001',
  name: 'bot',
  scopes: ['read'],
  hash: '',
  createdAt: 0,
  expiresAt: null,
  oldHash: null,
  oldUntil: null,
  usedAt: null,
  endedAt: null,
  ended: null,
};

it('knows of secrets that open nothing any more the last 5,000, until their key is forgotten', () => {
  const index = new KeyIndex();
  for (let time = 0; time <= 5_001; time += 1) index.put({ ...key, hash: hashOf(`secret ${time}`) });
  const known = () => [0, 1, 5_000, 5_001].map((time) => index.formerOf(`secret ${time}`)?.name);
  expect(known()).toEqual([undefined, 'bot', 'bot', undefined]);
  index.forget(key.id);
  expect(known()).toEqual([undefined, undefined, undefined, undefined]);
});
