import { describe, expect, it } from 'vitest';
import { flatness, type Point } from './flatness.ts';

const everyMs = 5_000;
const allowance = { warmUp: 1 / 3, growth: 3 };

function looks(values: readonly number[]): readonly Point[] {
  return values.map((value, index) => ({ atMs: index * everyMs, value }));
}

/** Megabytes of heap, recorded: the control API in a soak, its caches filling, and a sidecar that was done with that. */
const recorded = {
  filling: [43.7, 44.5, 45.3, 46.2, 46.3, 46.4, 46.6, 46.7, 46.9, 47.4],
  filled: [80.7, 80.7, 80.7, 81.3, 81.3, 81.4, 80.9, 81.2, 80.8, 81.3, 81.1, 80.9],
  handles: [29, 31, 29, 28, 28, 28, 29, 28, 28, 30, 28, 28],
};

describe('a trend', () => {
  it.each(Object.entries(recorded))('is flat where only noise moves it: %s', (_, values) => {
    expect(flatness(looks(values), allowance)).toMatchObject({ isFlat: true });
  });

  it.each([
    ['steadily', looks(recorded.filled.map((value, index) => value + index / 2))],
    [
      'beneath the noise of the heap',
      looks(recorded.filled.map((value, index) => value + index + 3 * (index % 2))),
    ],
    ['by a handle for every look', looks(recorded.handles.map((value, index) => value + index))],
  ])('is seen where something grows %s', (_, series) => {
    expect(flatness(series, allowance)).toMatchObject({ isFlat: false });
  });

  it('is not made by a peak, as a collection that came late', () => {
    const series = recorded.filled.map((value, index) => (index === 9 ? value + 40 : value));
    expect(flatness(looks(series), allowance)).toMatchObject({ isFlat: true });
  });

  it('is not hidden by a fall at the end', () => {
    const series = recorded.filled.map((value, index, { length }) =>
      index === length - 1 ? 80 : value + index,
    );
    expect(flatness(looks(series), allowance)).toMatchObject({ isFlat: false });
  });

  it('is not told by what comes before everything is warm', () => {
    const series = [10, 30, 50, 70, ...recorded.filled.slice(0, 8)];
    expect(flatness(looks(series), allowance)).toMatchObject({ isFlat: true });
  });

  it('is told in what it grows by and how fast', () => {
    const verdict = flatness(looks([1, 2, 3, 4, 5, 6]), { warmUp: 0, growth: 10 });
    expect(verdict).toEqual({ looks: 6, growth: 5, perMinute: 12, isFlat: true });
  });

  it('is unknown after a few looks', () => {
    expect(flatness(looks([1, 2, 3]), allowance)).toBeUndefined();
  });
});
