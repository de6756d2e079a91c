import { median } from '@steward/testing/quantile';

/** One look at something that should not grow. */
export interface Point {
  readonly atMs: number;
  readonly value: number;
}

export interface Allowance {
  /** The first part of the looks, from 0 to 1, in which caches fill and code is compiled. */
  readonly warmUp: number;
  /** By how much the trend may have grown from then to the end. */
  readonly growth: number;
}

export interface Verdict {
  readonly looks: number;
  readonly growth: number;
  readonly perMinute: number;
  readonly isFlat: boolean;
}

const minuteMs = 60_000;
/** Of fewer it is unknown a trend. */
const fewestLooks = 4;

/**
 * Whether a series grows: the median of the slopes between all its points, which neither noise nor a peak moves, times how
 * long it was looked at. Undefined where there are too few looks to say.
 */
export function flatness(
  series: readonly Point[],
  { warmUp, growth: allowed }: Allowance,
): Verdict | undefined {
  const warm = series.slice(Math.floor(series.length * warmUp));
  const [first, last] = [warm[0], warm.at(-1)];
  if (warm.length < fewestLooks || first === undefined || last === undefined) return undefined;
  const slope = median(slopes(warm));
  const growth = slope * (last.atMs - first.atMs);
  return { looks: warm.length, growth, perMinute: slope * minuteMs, isFlat: growth <= allowed };
}

function slopes(points: readonly Point[]): number[] {
  return points.flatMap((one, index) =>
    points.slice(index + 1).map((other) => (other.value - one.value) / (other.atMs - one.atMs)),
  );
}
