import type { QueryOf } from '@steward/shared/api/endpoints';
import {
  type SampleStep,
  type sampleEndpoints,
  samplePoints,
  sampleStepNames,
  usualSampleHours,
} from '@steward/shared/api/endpoints/samples';
import { Problem } from '@steward/shared/problems/problem';
import { unreadable } from '../../store/state-problems.ts';
import { type Stretch, samplesOf, stepMs, unitOf } from '../bodies/samples.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function sampleHandlers({
  samples,
  clock,
}: Pick<HandlerParts, 'samples' | 'clock'>): Handlers<keyof typeof sampleEndpoints> {
  return {
    async getSamples({ query }) {
      const stretch = stretchOf(query, clock.date());
      const unit = unitOf(stretch.step);
      const unitMs = stepMs(unit);
      const totals = await samples
        .totals(unit, stretch.from / unitMs, stretch.before / unitMs)
        .catch(unreadable('No samples can be read'));
      return samplesOf(stretch, totals);
    },
  };
}

function stretchOf({ from, to, step }: QueryOf<'getSamples'>, now: Date): Stretch {
  const end = to === undefined ? now.getTime() : Date.parse(to);
  const start = from === undefined ? end - usualSampleHours * stepMs('hour') : Date.parse(from);
  if (start >= end)
    throw new Problem('invalid-parameter', `from is not before ${to === undefined ? 'now' : 'to'}`);
  const stretches = sampleStepNames.map((name) => wholeSteps(name, start, end));
  const asked =
    step === undefined
      ? (stretches.find((each) => pointsOf(each) <= samplePoints.usual) ?? wholeSteps('day', start, end))
      : wholeSteps(step, start, end);
  const points = pointsOf(asked);
  if (points > samplePoints.most)
    throw new Problem(
      'invalid-parameter',
      `step=${asked.step} would give ${points} points, and the maximum is ${samplePoints.most}: ask for a shorter time, or for longer steps`,
    );
  return asked;
}

function wholeSteps(step: SampleStep, start: number, end: number): Stretch {
  const ms = stepMs(step);
  return { step, from: Math.floor(start / ms) * ms, before: Math.ceil(end / ms) * ms };
}

function pointsOf({ step, from, before }: Stretch): number {
  return (before - from) / stepMs(step);
}
