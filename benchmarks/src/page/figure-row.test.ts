import { describe, expect, it } from 'vitest';
import type { Comparison } from '../comparison.ts';
import { figureRow, missed } from './figure-row.ts';

const throughput: Comparison = {
  figure: 'GET /status',
  unit: 'req/s',
  ours: [9_000, 8_000, 10_000],
  limit: [10_000, 10_000, 10_000],
  beside: 'bare',
};

describe('a row of the page', () => {
  it('shows medians, the median of the ratios with their spread, and the bar with its verdict', () => {
    expect(figureRow('status', { ...throughput, atLeast: 0.75 }, '2 cores')).toBe(
      '| status | GET /status | 9,000 req/s | bare: 10,000 req/s | 0.90 | 0.80 to 1.00 | ratio ≥ 0.75 | yes | 2 cores |',
    );
  });

  it('shows of a ratio that is next to nothing more than that', () => {
    expect(figureRow('store', { figure: 'a page', unit: 'ms', ours: [0.17], limit: [71.3] }, 'm')).toContain(
      '| 71.3 ms | 0.0024 |',
    );
  });

  it('says where a bar is not met, and leaves the verdict out where there is none', () => {
    expect(figureRow('status', { ...throughput, atLeast: 0.95 }, 'm')).toContain('| ratio ≥ 0.95 | **no** |');
    expect(figureRow('status', throughput, 'm')).toContain('|  |  | m |');
  });

  it('shows the spread of a figure that stands alone', () => {
    expect(figureRow('storm', { figure: 'storm', unit: 'ms', ours: [150, 120, 300], bar: 2_000 }, 'm')).toBe(
      '| storm | storm | 150 ms |  |  | 120 to 300 | ≤ 2000 ms | yes | m |',
    );
  });
});

describe('a bar', () => {
  it.each([
    ['at least', { atLeast: 0.9 }, { atLeast: 0.91 }],
    ['at most', { atMost: 0.9 }, { atMost: 0.89 }],
    ['absolute', { bar: 9_000 }, { bar: 8_999 }],
  ])('that is %s is met up to its last digit and missed beyond', (_, met, missedBar) => {
    expect(missed('status', { ...throughput, ...met })).toEqual([]);
    expect(missed('status', { ...throughput, ...missedBar })).toHaveLength(1);
  });

  it('is missed by what could not be measured', () => {
    expect(missed('status', { ...throughput, ours: [], limit: [], atLeast: 0.1 })).toHaveLength(1);
    expect(missed('status', { ...throughput, ours: [Number.NaN], limit: [1], atMost: 9 })).toHaveLength(1);
  });

  it('that is missed says of which figure, what was reached and what it has to be', () => {
    expect(missed('status', { ...throughput, atLeast: 0.95 })).toEqual([
      'status: GET /status: 9,000 req/s, ratio 0.90; it has to be ratio ≥ 0.95',
    ]);
  });
});
