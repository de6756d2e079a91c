import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactId, exactIdText, withTwin } from './exact-id.ts';

it('an id and its twin in text are the same, to the last digit, and are what the schemas describe', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
      const { playerId, playerIdStr } = withTwin('playerId', String(id));
      expect(BigInt(playerIdStr)).toBe(id);
      expect(exactId.parse(playerId)).toBe(id);
      expect(exactIdText.parse(playerIdStr)).toBe(playerIdStr);
    }),
  );
});
