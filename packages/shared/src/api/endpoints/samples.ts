import { choice, moment } from '../../kinds.ts';
import { type Endpoints, optional } from '../endpoint.ts';

/** How far apart the points of an answer can be, in seconds. */
export const sampleSteps = { minute: 60, hour: 60 * 60, day: 24 * 60 * 60 } as const;

export type SampleStep = keyof typeof sampleSteps;

export const sampleStepNames = Object.keys(sampleSteps) as readonly SampleStep[];

/** Where no step is named it is the finest that gives no more than the usual: as many as a plot has room for. */
export const samplePoints = { most: 12_000, usual: 1_500 } as const;

export const usualSampleHours = 24;

export const sampleEndpoints = {
  getSamples: {
    on: 'GET /samples',
    group: 'Server',
    scope: 'read',
    summary: 'How the server fared: players, pace and memory over time',
    description:
      'A sample is kept of each minute, for as long as `SAMPLES_KEEP_DAYS` says. The answer has a list for each thing that is measured, as plots take them: its first value is of the step that begins at `from`, the next of the step after that, and null is a time of which nothing is known.',
    query: {
      from: optional(moment, {
        means: `Where it begins; ${usualSampleHours} hours before its end where nothing is said. A step that has begun is taken whole`,
        example: '2026-11-21T00:00:00Z',
      }),
      to: optional(moment, {
        means: 'Where it ends; now where nothing is said',
        example: '2026-11-22T00:00:00Z',
      }),
      step: optional(choice(sampleStepNames), {
        means: `What is put together; days are those of UTC. Where nothing is said, the finest that gives ${samplePoints.usual} points at the most; more than ${samplePoints.most} are refused`,
        example: 'hour',
      }),
    },
  },
} as const satisfies Endpoints;
