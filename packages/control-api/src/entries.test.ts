import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const limitMb = 2;

it('leaves a thread the limits that it is started with, where Node has options of its own', () => {
  expect(newSpaceMb('')).toBeGreaterThan(limitMb);
  expect(newSpaceMb('leaveThreadsTheirLimits();')).toBeLessThanOrEqual(limitMb);
});

/** What a thread has for new objects, in a process that runs this first. */
function newSpaceMb(first: string): number {
  const module = new URL('./entries.ts', import.meta.url).href;
  const thread = `
    import { getHeapSpaceStatistics } from 'node:v8';
    let kept = [];
    for (let made = 0; made < 200_000; made += 1) kept = made % 1_000 === 0 ? [] : [...kept.slice(-9), { made }];
    console.log(getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size);`;
  const program = `
    import { Worker } from 'node:worker_threads';
    import { leaveThreadsTheirLimits } from '${module}';
    ${first}
    new Worker(${JSON.stringify(thread)}, { eval: true, resourceLimits: { maxYoungGenerationSizeMb: ${limitMb} } });`;
  const options = ['--max-semi-space-size=4', '--min-semi-space-size=3'];
  const args = [...options, '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout) / 2 ** 20;
}
