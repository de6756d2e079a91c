import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { provenVersion } from './steam-session-internals.ts';

it('reaches into the very version of steam-session that it was written against', () => {
  const { version } = createRequire(import.meta.url)('steam-session/package.json');
  expect(version).toBe(provenVersion);
});
