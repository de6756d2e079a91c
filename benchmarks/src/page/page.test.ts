import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { page, readPage, renewed } from './page.ts';

const measured = {
  figures: [
    '| start | the start | 150 ms |',
    '| status | requests | 9,000 req/s |',
    '| status | p99 | 3.00 ms |',
  ],
  growth: ['| sockets | 500 | 1.00 ms |', '| sockets | 1,000 | 2.00 ms |'],
  breaks: ['- **sockets**: nothing broke.'],
  rooms: ['| sockets | 5,000 | 16,000 |  | more than 3.20 |'],
  minutes: 17,
};

describe('the page of measurements', () => {
  it('is read back as it was written', () => {
    expect(readPage(page(measured))).toEqual(measured);
  });

  it('has nothing measured where there is no page yet', () => {
    expect(readPage('')).toEqual({ figures: [], growth: [], breaks: [], rooms: [] });
  });

  it('as committed is what the code makes of its rows; if not, run npm run bench -- words', () => {
    const committed = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
    expect(page(readPage(committed))).toBe(committed);
  });
});

describe('a run of some benchmarks', () => {
  it('replaces their rows, keeps the others, and keeps the order of the benchmarks', () => {
    const fresh = ['| status | requests | 9,500 req/s |', '| health | requests | 1 req/s |'];
    expect(renewed(measured.figures, fresh, ['start', 'health', 'status'])).toEqual([
      '| start | the start | 150 ms |',
      '| health | requests | 1 req/s |',
      '| status | requests | 9,500 req/s |',
    ]);
  });

  it('drops the rows of a benchmark that there is no more', () => {
    expect(renewed(measured.figures, [], ['start'])).toEqual(['| start | the start | 150 ms |']);
  });

  it('replaces the sentence about what was doubled', () => {
    const fresh = ['- **sockets**: the machine did.'];
    expect(renewed(measured.breaks, fresh, ['players', 'sockets'])).toEqual(fresh);
  });
});
