import { expect, it } from 'vitest';
import { verdicts } from '../comparison.ts';
import { bareBar } from './bare.ts';

it.each([
  [200, 'ms', 'startMs', 2.805],
  [200, 'ms', 'startCpuMs', 3.267],
  [100, 'MB', 'idleMb', 1.329],
  [0.6, 's', 'startCpuMs', 9.803],
  [5, 'ms', 'startCpuMs', 0.081],
] as const)('a bar of %d %s becomes a ratio to bare (%s) that is no looser', (most, unit, by, atMost) => {
  expect(bareBar(most, unit, by)).toEqual({ atMost, onceAtMost: most });
});

it('says what it was, beside the ratio that is judged', () => {
  const figure = { figure: 'start', unit: 'ms', ours: [400], limit: [140], ...bareBar(200, 'ms', 'startMs') };
  expect(verdicts(figure)).toEqual([{ bar: 'ratio ≤ 2.805 (200 ms)', isMet: false }]);
  expect(verdicts({ ...figure, limit: [143] })).toEqual([{ bar: 'ratio ≤ 2.805 (200 ms)', isMet: true }]);
});
