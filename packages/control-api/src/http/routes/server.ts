import type { HttpServer } from '@steward/service-kit/http/http-server';
import { fastestRendering } from '@steward/shared/bridge/ranges';
import { z } from 'zod';
import { farmView } from '../../status/farm-view.ts';
import { healthAnswer, healthOf, readinessAnswer, readinessOf, secondsUntilNews } from '../bodies/health.ts';
import { sendJson } from '../bodies/prepared-answer.ts';
import { renderingAnswer, statsAnswer } from '../bodies/stats.ts';
import { statusAnswer } from '../bodies/status.ts';
import { changed } from '../commands/changed.ts';
import { idempotencyHeader, idempotencyKey } from '../commands/idempotency-key.ts';
import { runCommand } from '../commands/run-command.ts';
import { commandProblems, parameterProblems, routeSchema } from '../openapi/route-schema.ts';
import { integerParameter } from '../parameters/parameter.ts';
import { answerFromState, type RouteParts } from './parts.ts';

const fps = z.object({ fps: z.int().min(0) });

/** The routes of the group Server, but for operations and the document. */
export function serverRoutes(server: HttpServer, parts: RouteParts): void {
  const { bridge, clock } = parts;
  const view = farmView(parts);

  server.get(
    '/health',
    {
      schema: routeSchema({
        operationId: 'getHealth',
        summary: 'Whether the server is alive',
        description: 'Liveness: 200 whenever the process can answer, whatever the game does.',
        tag: 'Server',
        isPublic: true,
        answers: { 200: healthAnswer },
      }),
    },
    (_request, reply) => sendJson(reply, healthOf(bridge, clock.date())),
  );

  server.get(
    '/health/ready',
    {
      schema: routeSchema({
        operationId: 'getReadiness',
        summary: 'Whether players can join, and if not, why',
        tag: 'Server',
        answers: { 200: readinessAnswer, 503: readinessAnswer },
      }),
    },
    (_request, reply) => {
      const readiness = readinessOf(view(), clock.date());
      if (!readiness.ready) reply.code(503).header('retry-after', secondsUntilNews(readiness));
      sendJson(reply, readiness);
    },
  );

  server.get(
    '/status',
    {
      schema: routeSchema({
        operationId: 'getStatus',
        summary: 'The server and its farm',
        description: 'Always 200, also while there is no game: then `isOnline` is false.',
        tag: 'Server',
        isPrepared: true,
        answers: { 200: statusAnswer },
      }),
    },
    answerFromState(parts, '/status'),
  );

  server.get(
    '/stats',
    {
      schema: routeSchema({
        operationId: 'getStats',
        summary: "How the game's process fares",
        tag: 'Server',
        isPrepared: true,
        answers: { 200: statsAnswer },
      }),
    },
    answerFromState(parts, '/stats'),
  );

  server.get(
    '/rendering',
    {
      schema: routeSchema({
        operationId: 'getRendering',
        summary: "The server's render rate",
        tag: 'Server',
        isPrepared: true,
        answers: { 200: renderingAnswer },
      }),
    },
    answerFromState(parts, '/rendering'),
  );

  server.post(
    '/rendering',
    {
      schema: {
        ...routeSchema({
          operationId: 'setRendering',
          summary: 'Set the render rate, or switch rendering off',
          tag: 'Server',
          answers: {
            200: z
              .object({ ...changed, fps: fps.shape.fps, previousFps: fps.shape.fps, before: fps, after: fps })
              .meta({ id: 'RenderingChanged' }),
          },
          problems: [...parameterProblems, ...commandProblems],
        }),
        headers: idempotencyHeader,
        querystring: z.object({
          fps: integerParameter({
            min: 0,
            max: fastestRendering,
            meaning: 'Frames a second; 0 switches rendering off',
            example: 5,
          }),
        }),
      },
    },
    async ({ query, headers }, reply) => {
      const command = { name: 'setRenderRate', params: { fps: query.fps } } as const;
      const { operationId, outcome } = await runCommand(bridge, command, idempotencyKey(headers));
      const before = fps.parse(outcome.before);
      const after = fps.parse(outcome.after);
      sendJson(reply, {
        success: true,
        message: after.fps === 0 ? 'Rendering is off' : `Rendering at ${after.fps} frames a second`,
        operationId,
        fps: after.fps,
        previousFps: before.fps,
        before,
        after,
      });
      return reply;
    },
  );
}
