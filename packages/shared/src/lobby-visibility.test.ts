import { expect, it } from 'vitest';
import { lobbyVisibility, requestableVisibility } from './lobby-visibility.ts';

it('is public whatever a game may ask for', () => {
  expect(lobbyVisibility).toBe('public');
  expect(requestableVisibility.options).toEqual(['private', 'friends-only', 'public', 'invisible']);
});
