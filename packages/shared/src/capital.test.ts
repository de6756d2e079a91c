import { expect, it } from 'vitest';
import { capital } from './capital.ts';

it('makes words the beginning of a sentence', () => {
  expect(capital('the game shows no invite code')).toBe('The game shows no invite code');
  expect(capital('Already')).toBe('Already');
  expect(capital('')).toBe('');
});
