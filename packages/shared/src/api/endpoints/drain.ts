import { drainLimits, drainWhens } from '../../drain.ts';
import { boolean, choice, integer, visibleText } from '../../kinds.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';

const { usualMinutes, mostMinutes, usualSeconds, mostSeconds } = drainLimits;

const changeProblems = ['idempotency-key-reused', 'state-unwritable', 'game-unavailable'] as const;

export const drainEndpoints = {
  getDrain: {
    on: 'GET /drain',
    group: 'Server',
    scope: 'read',
    summary: 'Whether players are being seen off, and what of the day would be lost by stopping the game now',
  },
  startDrain: {
    on: 'POST /drain',
    group: 'Server',
    scope: 'operate',
    summary: 'See players off, save, and stop or restart the game',
    description:
      'Nobody new comes in from now on, and who is there is told. `when=now` counts down; `empty` waits until nobody is there; `day-end` until the day has ended and is saved: both for `minutes` at the most, and count down then. At the end who is left is disconnected, the game saves and is stopped. The answer is 202: GET /operations/{id} tells how it ends.',
    query: {
      when: required(choice(drainWhens), { means: 'What it waits for', example: 'day-end' }),
      restart: optional(boolean, {
        means: 'Whether the game is started again at once; without it, it stays away until DELETE /drain',
      }),
      minutes: optional(integer({ min: 0, max: mostMinutes }), {
        means: `How long it waits at the most; ${usualMinutes.empty} for empty and ${usualMinutes['day-end']} for day-end where nothing is said`,
        example: 60,
      }),
      seconds: optional(integer({ min: 0, max: mostSeconds }), {
        means: `How long the countdown is; ${usualSeconds} where nothing is said`,
        example: 120,
      }),
      message: optional(visibleText({ longest: 200 }), {
        means: 'Why, for the players',
        example: 'We update the mods',
      }),
    },
    problems: [...changeProblems, 'drain-under-way', 'game-running', 'not-supported-by-game'],
    audit: 'drain begun',
  },
  cancelDrain: {
    on: 'DELETE /drain',
    group: 'Server',
    scope: 'operate',
    summary: 'Let players in again: ends a drain, or starts the game that one has stopped',
    problems: [...changeProblems, 'drain-not-found', 'outcome-unknown'],
    audit: 'drain ended',
  },
} as const satisfies Endpoints;
