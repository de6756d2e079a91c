import type { AnswerOf } from '@steward/shared/api/answers';
import { type SampleStep, sampleSteps } from '@steward/shared/api/endpoints/samples';
import { timestampOf } from '@steward/shared/wire-values';
import type { SampleTotals, SampleUnit } from '../../store/tables/samples.ts';

/** Steps of which an answer has a point each; both ends lie between two steps, in milliseconds since 1970. */
export interface Stretch {
  readonly step: SampleStep;
  readonly from: number;
  readonly before: number;
}

export function stepMs(step: SampleStep): number {
  return sampleSteps[step] * 1_000;
}

/** What a step is put together from. */
export function unitOf(step: SampleStep): SampleUnit {
  return step === 'minute' ? 'minute' : 'hour';
}

/** A list for each thing that is measured, with a place for every step, so that a plot shows a gap where nothing is known. */
export function samplesOf(
  { step, from, before }: Stretch,
  totals: readonly SampleTotals[],
): AnswerOf<'getSamples'> {
  const unitMs = stepMs(unitOf(step));
  const points: (SampleTotals | undefined)[] = Array.from({ length: (before - from) / stepMs(step) });
  for (const one of totals) {
    const index = Math.floor((one.place * unitMs - from) / stepMs(step));
    const there = points[index];
    points[index] = there === undefined ? one : together(there, one);
  }
  const each = (value: (of: SampleTotals) => number | null) =>
    points.map((point) => (point === undefined ? null : value(point)));
  return {
    from: timestampOf(from),
    step,
    stepSeconds: sampleSteps[step],
    players: each(({ players, samples }) => hundredths(players / samples)),
    mostPlayers: each(({ mostPlayers }) => mostPlayers),
    // They are kept as hundredths.
    ticksPerSecond: each(({ ticks, ticked }) => (ticked === 0 ? null : hundredths(ticks / ticked / 100))),
    tickGapMs: each(({ tickGapMs }) => tickGapMs),
    bridgeLatencyMs: each(({ bridgeLatencyMs }) => bridgeLatencyMs),
    serviceMemoryMb: each(({ serviceMemoryMb }) => serviceMemoryMb),
    gameMemoryMb: each(({ gameMemoryMb }) => gameMemoryMb),
  };
}

function together(one: SampleTotals, other: SampleTotals): SampleTotals {
  return {
    place: one.place,
    samples: one.samples + other.samples,
    players: one.players + other.players,
    mostPlayers: Math.max(one.mostPlayers, other.mostPlayers),
    ticked: one.ticked + other.ticked,
    ticks: one.ticks + other.ticks,
    tickGapMs: larger(one.tickGapMs, other.tickGapMs),
    bridgeLatencyMs: larger(one.bridgeLatencyMs, other.bridgeLatencyMs),
    serviceMemoryMb: Math.max(one.serviceMemoryMb, other.serviceMemoryMb),
    gameMemoryMb: larger(one.gameMemoryMb, other.gameMemoryMb),
  };
}

function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
