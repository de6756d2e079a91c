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
    summary: 'Whether a drain is running, and what would be lost if the game stopped now',
  },
  startDrain: {
    on: 'POST /drain',
    group: 'Server',
    scope: 'operate',
    summary: 'Warn and disconnect players, save, and stop or restart the game',
    description:
      'From now on nobody new can join, and the players are warned. `when=now` counts down; `empty` waits until nobody is online; `day-end` until the day has ended and is saved: both wait for `minutes` at most, and then count down. At the end the remaining players are disconnected, and the game saves and stops. The answer is 202: GET /operations/{id} shows how it ends.',
    query: {
      when: required(choice(drainWhens), { means: 'What it waits for', example: 'day-end' }),
      restart: optional(boolean, {
        means:
          'Whether the game is started again at once; otherwise it stays stopped until DELETE /drain or the next start of the service',
      }),
      minutes: optional(integer({ min: 0, max: mostMinutes }), {
        means: `The longest wait; ${usualMinutes.empty} for empty and ${usualMinutes['day-end']} for day-end by default`,
        example: 60,
      }),
      seconds: optional(integer({ min: 0, max: mostSeconds }), {
        means: `The length of the countdown; ${usualSeconds} by default`,
        example: 120,
      }),
      message: optional(visibleText({ longest: 200 }), {
        means: 'The reason, shown to the players',
        example: 'We update the mods',
      }),
    },
    problems: [...changeProblems, 'command-void', 'drain-under-way', 'game-running', 'not-supported-by-game'],
    audit: 'drain begun',
    notedFirst: true,
  },
  cancelDrain: {
    on: 'DELETE /drain',
    group: 'Server',
    scope: 'operate',
    summary: 'Cancel a drain, or start the game that it has stopped',
    problems: [...changeProblems, 'drain-not-found', 'outcome-unknown'],
    // Not noted first: it lets players in again.
    audit: 'drain ended',
  },
} as const satisfies Endpoints;
