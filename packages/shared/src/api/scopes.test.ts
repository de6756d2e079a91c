import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isGoodFor, type Scope, scopeNames } from './scopes.ts';

it('lets a key do what one of its scopes names, and admin everything', () => {
  fc.assert(
    fc.property(fc.subarray([...scopeNames]), fc.constantFrom(...scopeNames), (granted, needed) => {
      const has = (scope: Scope) => granted.includes(scope);
      expect(isGoodFor(new Set(granted), needed)).toBe(has('admin') || has(needed));
    }),
  );
});
