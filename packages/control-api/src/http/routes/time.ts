import type { HttpServer } from '@steward/service-kit/http/http-server';
import { timeOfDay as range } from '@steward/shared/bridge/ranges';
import { z } from 'zod';
import { sendJson } from '../bodies/prepared-answer.ts';
import { timeAnswer } from '../bodies/status.ts';
import { changed } from '../commands/changed.ts';
import { idempotencyHeader, idempotencyKey } from '../commands/idempotency-key.ts';
import { runCommand } from '../commands/run-command.ts';
import { commandProblems, parameterProblems, routeSchema } from '../openapi/route-schema.ts';
import { integerParameter } from '../parameters/parameter.ts';
import { answerFromState, type RouteParts } from './parts.ts';

const timeOfDay = z.object({ timeOfDay: z.int() });

/** The routes of the group Time. */
export function timeRoutes(server: HttpServer, parts: RouteParts): void {
  const { bridge } = parts;

  server.get(
    '/time',
    {
      schema: routeSchema({
        operationId: 'getTime',
        summary: "The farm's date and time of day",
        tag: 'Time',
        isPrepared: true,
        answers: { 200: timeAnswer },
      }),
    },
    answerFromState(parts, '/time'),
  );

  server.post(
    '/time',
    {
      schema: {
        ...routeSchema({
          operationId: 'setTime',
          summary: 'Set the time of day',
          tag: 'Time',
          answers: {
            200: z
              .object({ ...changed, timeOfDay: z.int(), before: timeOfDay, after: timeOfDay })
              .meta({ id: 'TimeChanged' }),
          },
          problems: [...parameterProblems, ...commandProblems],
        }),
        headers: idempotencyHeader,
        querystring: z.object({
          value: integerParameter({
            min: range.earliest,
            max: range.latest,
            meaning: '600 is 6 AM, 1200 noon, 1800 6 PM, 2600 2 AM of the next day',
            example: 1200,
          }),
        }),
      },
    },
    async ({ query, headers }, reply) => {
      const command = { name: 'setTime', params: { value: query.value } } as const;
      const { operationId, outcome } = await runCommand(bridge, command, idempotencyKey(headers));
      const after = timeOfDay.parse(outcome.after);
      sendJson(reply, {
        success: true,
        message: `The time of day is ${after.timeOfDay}`,
        operationId,
        timeOfDay: after.timeOfDay,
        before: timeOfDay.parse(outcome.before),
        after,
      });
      return reply;
    },
  );
}
