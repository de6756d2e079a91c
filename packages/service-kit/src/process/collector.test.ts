import { compiledAnew } from '@steward/testing/compiled-anew';
import { expect, it } from 'vitest';
import { collector } from './collector.ts';

it('collects what nobody holds', async () => {
  const held = new WeakRef({});
  // Until the turn is over, the one who made it holds it.
  await new Promise(setImmediate);
  collector()();
  expect(held.deref()).toBeUndefined();
});

it('leaves Node what it has compiled of itself beforehand', () => {
  const source = JSON.stringify(new URL('./collector.ts', import.meta.url).href);
  const first = `const { collector } = await import(${source}); collector();`;
  expect(compiledAnew([], "require('node:v8').setFlagsFromString('--expose-gc');")).toBeGreaterThan(0);
  expect(compiledAnew([], first)).toBe(0);
});
