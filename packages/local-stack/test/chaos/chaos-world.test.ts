import { expect, it } from 'vitest';
import { ChaosWorld } from './chaos-world.ts';

it('has failed once the test has no more time, so that whoever waits for it takes it down', async () => {
  const time = new AbortController();
  await using world = await ChaosWorld.create({ mode: 'listen', seed: 1, signal: time.signal });
  const failure = expect(world.failure).rejects.toThrow('the time is over');
  time.abort(new Error('the time is over'));
  await failure;
  await expect(world.failure).rejects.toThrow('the time is over');
});
