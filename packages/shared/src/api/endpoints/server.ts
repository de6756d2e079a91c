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
    summary: "Performance of the game's process",
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
      'The day continues. While somebody plays the game cannot save: then you get 409, and the game saves at the end of the day.',
    game: 'save',
    problems: ['players-online'],
    audit: 'farm saved',
  },
  getGameLog: {
    on: 'GET /game/log',
    group: 'Server',
    scope: 'moderate',
    summary: 'The latest output of the game that this service started',
    description:
      'Up to 500 lines, the newest last, exactly as the game and its mods wrote them: they may be wrong, and may reveal who players are and where they connect from. Control characters are removed.',
    problems: ['not-supported-by-game'],
  },
  getScreenshot: {
    on: 'GET /screenshot',
    group: 'Server',
    scope: 'read',
    summary: 'A screenshot of the game',
    mediaType: 'image/png',
    description: 'The same picture is served for a few seconds.',
    problems: ['not-supported-by-game', 'game-unavailable', 'command-failed'],
  },
  getMetrics: {
    on: 'GET /metrics',
    group: 'Server',
    scope: 'read',
    summary: 'Measurements for Prometheus',
    mediaType: 'text/plain',
  },
} as const satisfies Endpoints;
