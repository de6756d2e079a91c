import { timeOfDay } from '../../bridge/ranges.ts';
import { integer } from '../../kinds.ts';
import { type Endpoints, required } from '../endpoint.ts';

export const timeEndpoints = {
  getTime: {
    on: 'GET /time',
    group: 'Time',
    scope: 'read',
    summary: "The farm's date and time of day",
    prepared: true,
  },
  setTime: {
    on: 'POST /time',
    group: 'Time',
    scope: 'operate',
    summary: 'Set the time of day',
    query: {
      value: required(integer({ min: timeOfDay.earliest, max: timeOfDay.latest }), {
        means: '600 is 6 AM, 1200 noon, 1800 6 PM, 2600 2 AM of the next day',
        example: 1200,
      }),
    },
    game: 'setTime',
    audit: 'time of day set',
  },
} as const satisfies Endpoints;
