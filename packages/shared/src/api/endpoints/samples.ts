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
    summary: 'Players, tick rate and memory over time',
    description:
      'The server stores a sample every minute for `SAMPLES_KEEP_DAYS`. The answer has a list for each value, ready for plots: the first entry is for the step that begins at `from`, the next for the step after that. Null means that nothing is known for that time.',
    query: {
      from: optional(moment, {
        means: `Where it begins; ${usualSampleHours} hours before its end by default. A step that has begun is included completely`,
        example: '2026-11-21T00:00:00Z',
      }),
      to: optional(moment, {
        means: 'Where it ends; now by default',
        example: '2026-11-22T00:00:00Z',
      }),
      step: optional(choice(sampleStepNames), {
        means: `The length of a step; days are UTC days. The default is the finest that gives at most ${samplePoints.usual} points; more than ${samplePoints.most} are refused`,
        example: 'hour',
      }),
    },
  },
} as const satisfies Endpoints;
