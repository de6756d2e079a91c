import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { flatness, type Point } from './soak/flatness.ts';
import { Gauge, type Weight } from './soak/gauge.ts';

const mebibyte = 1024 * 1024;
const looks = 15;
const betweenMs = 100;
/** What the long soak allows, over a thousandth of its time. */
const allowed = {
  heap: { warmUp: 1 / 3, growth: mebibyte / 4 },
  handles: { warmUp: 1 / 3, growth: 3 },
} as const;

async function idle(gauge: Gauge, leak = ''): Promise<Program> {
  const program = new Program('packages/local-stack/test/soak/entries/idle.ts', [], {
    NODE_OPTIONS: `--import ${fileURLToPath(new URL('./soak/entries/gauged.ts', import.meta.url))}`,
    GAUGE: gauge.path,
    LEAK: leak,
  });
  await program.line(/^idle$/);
  return program;
}

/** What a process looks like to the soak while it leaks this. */
async function weighed(leak: string): Promise<readonly (Weight & { readonly atMs: number })[]> {
  using directory = temporaryDirectory();
  const gauge = new Gauge(join(directory.path, 'gauge'));
  await using _ = await idle(gauge, leak);
  const weights: (Weight & { readonly atMs: number })[] = [];
  while (weights.length < looks) {
    const weight = await gauge.weigh();
    if (weight !== undefined) weights.push({ ...weight, atMs: performance.now() });
    await pause(betweenMs);
  }
  return weights;
}

function series(weights: Awaited<ReturnType<typeof weighed>>, of: 'heap' | 'handles'): readonly Point[] {
  return weights.map(({ atMs, [of]: value }) => ({ atMs, value: value ?? 0 }));
}

it('memory that a process keeps shows in its weight', async () => {
  const weights = await weighed('memory');
  expect(flatness(series(weights, 'heap'), allowed.heap)).toMatchObject({ isFlat: false });
  expect(flatness(series(weights, 'handles'), allowed.handles)).toMatchObject({ isFlat: true });
});

it.runIf(process.platform === 'linux')('files that it leaves open show in its handles', async () => {
  const weights = await weighed('handles');
  expect(flatness(series(weights, 'handles'), allowed.handles)).toMatchObject({ isFlat: false });
});

it('and nothing shows where nothing leaks', async () => {
  const weights = await weighed('');
  expect(flatness(series(weights, 'heap'), allowed.heap)).toMatchObject({ isFlat: true });
  expect(flatness(series(weights, 'handles'), allowed.handles)).toMatchObject({ isFlat: true });
});

it('a process that is weighed outlives one who does not wait for its weight', async () => {
  using directory = temporaryDirectory();
  const gauge = new Gauge(join(directory.path, 'gauge'));
  await using program = await idle(gauge);
  // What has come and was never read resets the connection at its end.
  const impatient = connect(gauge.path).pause();
  await once(impatient, 'connect');
  impatient.write('weigh 0\n');
  await gauge.weigh();
  impatient.destroy();
  await gauge.weigh();
  expect(await gauge.weigh()).toMatchObject({ pid: program.pid });
});
