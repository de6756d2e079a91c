import { restoreSteps } from '@steward/shared/backups';
import { expect, it } from 'vitest';
import { mayHaveChanged } from './restore-words.ts';

it('a restore may have changed something from the swap on, and before it nothing', () => {
  expect(restoreSteps.filter((step) => mayHaveChanged(step))).toEqual(['swapping', 'starting-game']);
  expect(mayHaveChanged(undefined)).toBe(false);
});
