import fc from 'fast-check';
import { expect, it } from 'vitest';
import { enough, isGoodFor, type Scope, scopeNames } from './scopes.ts';

const some = fc.subarray([...scopeNames]);

it('lets a key do what one of its scopes names, and admin everything', () => {
  fc.assert(
    fc.property(some, fc.constantFrom(...scopeNames), (granted, needed) => {
      const has = (scope: Scope) => granted.includes(scope);
      expect(isGoodFor(new Set(granted), needed)).toBe(has('admin') || has(needed));
    }),
  );
});

it('asks for any one of several, and for no more', () => {
  fc.assert(
    fc.property(some, some, (granted, needed) => {
      const one = enough(needed).some((scope) => isGoodFor(new Set(granted), scope));
      expect(isGoodFor(new Set(granted), needed)).toBe(granted.includes('admin') || one);
    }),
  );
});
