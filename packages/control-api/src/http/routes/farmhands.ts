import type { HttpServer } from '@steward/service-kit/http/http-server';
import { z } from 'zod';
import { withTwin } from '../bodies/exact-id.ts';
import { farmhandsAnswer } from '../bodies/people.ts';
import { sendJson } from '../bodies/prepared-answer.ts';
import { changed } from '../commands/changed.ts';
import { farmhandToDelete } from '../commands/deletion-check.ts';
import { idempotencyHeader, idempotencyKey } from '../commands/idempotency-key.ts';
import { runCommand } from '../commands/run-command.ts';
import { subject, subjectOf } from '../commands/subject.ts';
import { commandProblems, parameterProblems, routeSchema } from '../openapi/route-schema.ts';
import { booleanParameter } from '../parameters/parameter.ts';
import { exactlyOneTarget, targetOf, targetParameters } from '../parameters/player-target.ts';
import { answerFromState, type RouteParts } from './parts.ts';

const existence = z.object({ exists: z.boolean() });

/** The routes of the group Farmhands. */
export function farmhandRoutes(server: HttpServer, parts: RouteParts): void {
  const { bridge } = parts;

  server.get(
    '/farmhands',
    {
      schema: routeSchema({
        operationId: 'listFarmhands',
        summary: 'Every farmhand slot, taken or free',
        tag: 'Farmhands',
        isPrepared: true,
        answers: { 200: farmhandsAnswer },
      }),
    },
    answerFromState(parts, '/farmhands'),
  );

  server.delete(
    '/farmhands',
    {
      schema: {
        ...routeSchema({
          operationId: 'deleteFarmhand',
          summary: 'Delete a farmhand that is offline',
          description: 'With it go its cabin, what is in it, and its owner. With dryRun nothing is changed.',
          tag: 'Farmhands',
          answers: {
            200: z
              .object({
                ...changed,
                operationId: changed.operationId.optional().meta({ description: 'Absent from a dry run' }),
                dryRun: z.boolean(),
                ...subject,
                before: existence,
                after: existence,
              })
              .meta({ id: 'FarmhandDeleted' }),
          },
          problems: [
            ...parameterProblems,
            'conflicting-parameters',
            'farmhand-not-found',
            'farmhand-online',
            'ambiguous-name',
            ...commandProblems,
          ],
        }),
        headers: idempotencyHeader,
        querystring: z
          .object({
            ...targetParameters,
            dryRun: booleanParameter({ meaning: 'Only say what would be deleted' }).optional(),
          })
          .check(exactlyOneTarget),
      },
    },
    async ({ query, headers }, reply) => {
      const target = targetOf(query);
      if (query.dryRun === true) {
        const { id, name } = farmhandToDelete(bridge.state, target);
        sendJson(reply, {
          success: true,
          message: `${name || id} would be deleted`,
          dryRun: true,
          ...withTwin('playerId', id),
          playerName: name,
          before: { exists: true },
          after: { exists: false },
        });
        return reply;
      }
      const command = { name: 'deleteFarmhand', params: { target } } as const;
      const { operationId, outcome } = await runCommand(bridge, command, idempotencyKey(headers));
      const whom = subjectOf(outcome, query);
      sendJson(reply, {
        success: true,
        message: `${whom.playerName || whom.playerIdStr} is deleted`,
        operationId,
        dryRun: false,
        ...whom,
        before: existence.parse(outcome.before),
        after: existence.parse(outcome.after),
      });
      return reply;
    },
  );
}
