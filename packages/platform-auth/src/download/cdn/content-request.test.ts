import { describe, expect, it } from 'vitest';
import { failureOfStatus } from './content-request.ts';

const now = new Date('2026-11-21T06:30:00.000Z');

describe('how long a busy server wants to be left alone', () => {
  it.each([
    ['3', 3_000],
    [' 3 ', 3_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 06:30:45 GMT', 45_000],
    ['Sat, 21 Nov 2026 06:29:00 GMT', 0],
    ['86400', 120_000],
    ['Sun, 22 Nov 2026 06:30:00 GMT', 120_000],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is %j in words, %j ms', (words, ms) => {
    expect(failureOfStatus(503, words, now)).toMatchObject({ kind: 'busy', retryAfterMs: ms });
  });

  it('is nothing where it does not want this request at all', () => {
    expect(failureOfStatus(403, '3', now)).toMatchObject({ kind: 'refused', retryAfterMs: undefined });
  });
});
