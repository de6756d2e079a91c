import { spawnSync } from 'node:child_process';
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

it('collects soon after it was last asked to, and keeps no process for that', () => {
  const source = JSON.stringify(new URL('./collector.ts', import.meta.url).href);
  // In a process of its own, which has little to collect, and whose clock is wound on.
  const program = `
    const { mock } = await import('node:test');
    mock.timers.enable({ apis: ['setTimeout'] });
    const { collectSoon } = await import(${source});
    const isCollected = async () => {
      await new Promise(setImmediate);
      return held.deref() === undefined;
    };
    const held = new WeakRef({});
    const seen = [];
    collectSoon();
    mock.timers.tick(1_500);
    collectSoon();
    mock.timers.tick(1_500);
    seen.push(await isCollected());
    mock.timers.tick(500);
    while (!(await isCollected()));
    mock.timers.reset();
    collectSoon();
    seen.push(process.getActiveResourcesInfo().includes('Timeout'));
    process.stdout.write(JSON.stringify(seen));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ stdout, stderr }).toEqual({ stdout: '[false,false]', stderr: '' });
});
