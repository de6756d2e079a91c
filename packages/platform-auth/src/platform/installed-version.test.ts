import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { provenVersion } from './steam-user-internals.ts';

it('reaches into the very version of steam-user that it was written against', () => {
  const { version } = createRequire(import.meta.url)('steam-user/package.json');
  expect(version).toBe(provenVersion);
});
