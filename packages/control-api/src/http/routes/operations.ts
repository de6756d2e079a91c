import type { HttpServer } from '@steward/service-kit/http/http-server';
import { namedPlayer } from '@steward/shared/bridge/outcome';
import { parseUint64 } from '@steward/shared/ids/uint64';
import { accepted } from '@steward/shared/parsed';
import { Problem } from '@steward/shared/problems/problem';
import { z } from 'zod';
import { type Operation, operation } from '../../game/operations/operation.ts';
import { exactId, exactIdText, withTwin } from '../bodies/exact-id.ts';
import { sendJson } from '../bodies/prepared-answer.ts';
import { routeSchema } from '../openapi/route-schema.ts';
import { parameter, parameterExample } from '../parameters/parameter.ts';
import type { RouteParts } from './parts.ts';

const facts = z.record(z.string(), z.unknown());

const operationAnswer = z
  .object({
    operationId: z.string(),
    command: operation.shape.command,
    state: operation.shape.state.meta({
      description:
        'pending and claimed: under way; unknown: taken, and how it ended is not known yet; applied, refused, void: final',
    }),
    createdAt: operation.shape.createdAt,
    changedAt: operation.shape.changedAt,
    why: z.string().optional(),
    forGood: z.literal(true).optional().meta({ description: 'Of an unknown outcome: nobody will ever tell' }),
    subject: namedPlayer.extend({ id: exactId, idStr: exactIdText }).optional(),
    before: facts.optional(),
    after: facts.optional(),
    refusal: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'Operation', description: 'What became of one command to the game' });

const id = parameter({
  allowed: 'the operationId of an earlier answer',
  meaning: 'The operationId of an earlier answer',
  json: { pattern: '^[0-9]{1,20}$', [parameterExample]: '16394852047116039211' },
  parse(text) {
    const parsed = parseUint64(text);
    return parsed.ok ? accepted(parsed.value.toString()) : parsed;
  },
});

export function operationRoutes(server: HttpServer, { bridge }: RouteParts): void {
  server.get(
    '/operations/:id',
    {
      schema: {
        ...routeSchema({
          operationId: 'getOperation',
          summary: 'What became of a command',
          description: 'Known for 24 hours or 1,000 operations, over restarts too.',
          tag: 'Server',
          answers: { 200: operationAnswer },
          problems: ['invalid-parameter', 'operation-not-found'],
        }),
        params: z.object({ id }),
      },
    },
    ({ params }, reply) => {
      const found = bridge.operations.find(params.id);
      if (found === undefined)
        throw new Problem('operation-not-found', `There is no operation ${params.id}, or it is too long ago`);
      sendJson(reply, answerOf(found));
    },
  );
}

function answerOf({ id, command, state, createdAt, changedAt, why, forGood, outcome }: Operation) {
  const common = {
    operationId: id,
    command,
    state,
    createdAt,
    changedAt,
    ...(why === undefined ? {} : { why }),
    ...(forGood === undefined ? {} : { forGood }),
  };
  if (outcome === undefined) return common;
  if (outcome.outcome === 'refused')
    return { ...common, refusal: { code: outcome.code, message: outcome.message } };
  const { subject, before, after } = outcome;
  const named =
    subject === undefined ? {} : { subject: { ...withTwin('id', subject.id), name: subject.name } };
  return { ...common, ...named, before, after };
}
