import { expect, it } from 'vitest';
import { Changes } from './changes.ts';

const missing = () => 'it never came';

it('looks once where what is wanted is there already', async () => {
  let looks = 0;
  expect(await new Changes().until(() => ++looks, { missing })).toBe(1);
});

it('looks again at each change and not in between', async () => {
  const changes = new Changes();
  let looks = 0;
  const found = changes.until(
    () => {
      looks += 1;
      return looks === 3 ? 'found' : undefined;
    },
    { missing },
  );
  for (const expected of [2, 3]) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(expected - 1);
    changes.told();
  }
  expect(await found).toBe('found');
});

it('misses no change that comes while it looks', async () => {
  const changes = new Changes();
  let isThere = false;
  const look = async () => {
    const seen = isThere;
    isThere = true;
    changes.told();
    return seen ? 'found' : undefined;
  };
  expect(await changes.until(look, { missing })).toBe('found');
});

it('gives up in time, in words', async () => {
  await expect(new Changes().until(() => undefined, { withinMs: 10, missing })).rejects.toThrow(missing());
});
