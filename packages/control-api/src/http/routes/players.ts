import type { HttpServer } from '@steward/service-kit/http/http-server';
import { z } from 'zod';
import { inviteCodeAnswer } from '../bodies/invite-codes.ts';
import { playersAnswer } from '../bodies/people.ts';
import { sendJson } from '../bodies/prepared-answer.ts';
import { changed } from '../commands/changed.ts';
import { idempotencyHeader, idempotencyKey } from '../commands/idempotency-key.ts';
import { runCommand } from '../commands/run-command.ts';
import { subject, subjectOf } from '../commands/subject.ts';
import { commandProblems, parameterProblems, routeSchema } from '../openapi/route-schema.ts';
import { exactlyOneTarget, targetOf, targetParameters } from '../parameters/player-target.ts';
import { answerFromState, type RouteParts } from './parts.ts';

const role = z.object({ isAdmin: z.boolean() });

/** The routes of the group Players. */
export function playerRoutes(server: HttpServer, parts: RouteParts): void {
  const { bridge } = parts;

  server.get(
    '/players',
    {
      schema: routeSchema({
        operationId: 'listPlayers',
        summary: 'Who is connected',
        tag: 'Players',
        isPrepared: true,
        answers: { 200: playersAnswer },
      }),
    },
    answerFromState(parts, '/players'),
  );

  server.get(
    '/invite-code',
    {
      schema: routeSchema({
        operationId: 'getInviteCode',
        summary: 'The code that players join by',
        description: 'Always 200: without a code, `error` says why there is none.',
        tag: 'Players',
        isPrepared: true,
        answers: { 200: inviteCodeAnswer },
      }),
    },
    answerFromState(parts, '/invite-code'),
  );

  server.post(
    '/roles/admin',
    {
      schema: {
        ...routeSchema({
          operationId: 'grantAdmin',
          summary: 'Grant a player the admin role',
          description: 'To anyone who has a farmhand, online or offline. Granting it again changes nothing.',
          tag: 'Players',
          answers: {
            200: z
              .object({
                ...changed,
                ...subject,
                before: role,
                after: role,
              })
              .meta({ id: 'AdminGranted' }),
          },
          problems: [
            ...parameterProblems,
            'conflicting-parameters',
            'player-not-found',
            'ambiguous-name',
            ...commandProblems,
          ],
        }),
        headers: idempotencyHeader,
        querystring: z.object(targetParameters).check(exactlyOneTarget),
      },
    },
    async ({ query, headers }, reply) => {
      const command = { name: 'grantAdmin', params: { target: targetOf(query) } } as const;
      const { operationId, outcome } = await runCommand(bridge, command, idempotencyKey(headers));
      const whom = subjectOf(outcome, query);
      sendJson(reply, {
        success: true,
        message: `${whom.playerName || whom.playerIdStr} is an admin`,
        operationId,
        ...whom,
        before: role.parse(outcome.before),
        after: role.parse(outcome.after),
      });
      return reply;
    },
  );
}
