import { fastestRendering } from '../../bridge/ranges.ts';
import { integer } from '../../kinds.ts';
import { type Endpoints, required } from '../endpoint.ts';

export const serverEndpoints = {
  getHealth: {
    on: 'GET /health',
    group: 'Server',
    scope: 'public',
    summary: 'Whether the server is alive',
    description: 'Liveness: 200 whenever the process can answer, whatever the game does.',
  },
  getReadiness: {
    on: 'GET /health/ready',
    group: 'Server',
    scope: 'read',
    summary: 'Whether players can join, and if not, why',
  },
  getStatus: {
    on: 'GET /status',
    group: 'Server',
    scope: 'read',
    summary: 'The server and its farm',
    description: 'Always 200, also while there is no game: then `isOnline` is false.',
    prepared: true,
  },
  getStats: {
    on: 'GET /stats',
    group: 'Server',
    scope: 'read',
    summary: "How the game's process fares",
    prepared: true,
  },
  getRendering: {
    on: 'GET /rendering',
    group: 'Server',
    scope: 'read',
    summary: "The server's render rate",
    prepared: true,
  },
  setRendering: {
    on: 'POST /rendering',
    group: 'Server',
    scope: 'operate',
    summary: 'Set the render rate, or switch rendering off',
    query: {
      fps: required(integer({ min: 0, max: fastestRendering }), {
        means: 'Frames a second; 0 switches rendering off',
        example: 5,
      }),
    },
    game: 'setRenderRate',
    audit: 'render rate set',
  },
  saveGame: {
    on: 'POST /save',
    group: 'Server',
    scope: 'operate',
    summary: 'Save the farm now',
    description:
      'The day goes on. While somebody plays the game cannot save: then it is 409, and the end of the day does it.',
    game: 'save',
    problems: ['players-online'],
    audit: 'farm saved',
  },
  getGameLog: {
    on: 'GET /game/log',
    group: 'Server',
    scope: 'moderate',
    summary: 'What the game that is started here has printed last',
    description:
      'Up to 500 lines, the newest last, in the words of the game and its mods: nobody here vouches for them, and they may tell who players are and from where they come. What would move a cursor is taken out.',
    problems: ['not-supported-by-game'],
  },
  getScreenshot: {
    on: 'GET /screenshot',
    group: 'Server',
    scope: 'read',
    summary: 'What the game shows, as a picture',
    description: 'A picture stands for a few seconds: whoever asks meanwhile gets the same one.',
    problems: ['not-supported-by-game', 'game-unavailable', 'command-failed'],
  },
  getMetrics: {
    on: 'GET /metrics',
    group: 'Server',
    scope: 'read',
    summary: 'Measurements for Prometheus',
  },
} as const satisfies Endpoints;
