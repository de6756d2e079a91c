import type { HttpServer } from '@steward/service-kit/http/http-server';
import { parseUint64 } from '@steward/shared/ids/uint64';
import { accepted } from '@steward/shared/parsed';
import { z } from 'zod';
import type { Applied } from '../../game/operations/command-result.ts';
import { ownershipFacts } from '../../game/operations/ownership-commands.ts';
import { exactId, exactIdText, withTwin } from '../bodies/exact-id.ts';
import { sendJson } from '../bodies/prepared-answer.ts';
import { changed } from '../commands/changed.ts';
import { idempotencyHeader, idempotencyKey } from '../commands/idempotency-key.ts';
import { appliedBy, refuseWhereTheirs } from '../commands/run-command.ts';
import { parameterProblems, routeSchema } from '../openapi/route-schema.ts';
import { parameter, parameterExample } from '../parameters/parameter.ts';
import { exactlyOneTarget, targetOf, targetParameters } from '../parameters/player-target.ts';
import type { RouteParts } from './parts.ts';

const identity = parameter({
  allowed: 'an unsigned 64-bit integer in decimal digits',
  meaning:
    'The id of the new owner: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells',
  json: { type: 'string', pattern: '^[0-9]{1,20}$', [parameterExample]: '46265193014' },
  parse(text) {
    const parsed = parseUint64(text);
    return parsed.ok ? accepted(parsed.value.toString()) : parsed;
  },
});

const ownerChanged = {
  ...changed,
  playerId: exactId,
  playerIdStr: exactIdText,
  playerName: z.string(),
  before: ownershipFacts,
  after: ownershipFacts,
};

const problems = [
  ...parameterProblems,
  'conflicting-parameters',
  'farmhand-not-found',
  'ambiguous-name',
  'idempotency-key-reused',
  'ownership-unwritable',
  'state-unreadable',
  'state-unwritable',
  'not-supported-by-game',
  'game-unavailable',
  'command-void',
  'outcome-unknown',
] as const;

/** What an operator decides about owners; part of the group Farmhands. */
export function farmhandOwnerRoutes(server: HttpServer, { bridge, ownership }: RouteParts): void {
  server.post(
    '/farmhands/rebind',
    {
      schema: {
        ...routeSchema({
          operationId: 'rebindFarmhand',
          summary: 'Give a farmhand to another identity',
          description:
            'For somebody who now comes through another door. Online and fresh farmhands, too: nobody is sent away, and a fresh one then waits for its owner.',
          tag: 'Farmhands',
          answers: { 200: z.object(ownerChanged).meta({ id: 'FarmhandRebound' }) },
          problems,
        }),
        headers: idempotencyHeader,
        querystring: z.object({ ...targetParameters, identity }).check(exactlyOneTarget),
      },
    },
    async ({ query, headers }, reply) => {
      refuseWhereTheirs(bridge.state, 'rebindFarmhand');
      const applied = appliedBy(
        await ownership.rebind(targetOf(query), query.identity, idempotencyKey(headers)),
      );
      sendJson(
        reply,
        answerOf(applied, (name, { door }) => `${name} belongs to this ${door} id`),
      );
      return reply;
    },
  );

  server.post(
    '/farmhands/release',
    {
      schema: {
        ...routeSchema({
          operationId: 'releaseFarmhand',
          summary: 'Let whoever comes next have a farmhand',
          description:
            'The next player who takes it through the platform or the network owns it; one who comes by address returns it to all who do. A fresh slot is open to everybody again.',
          tag: 'Farmhands',
          answers: { 200: z.object(ownerChanged).meta({ id: 'FarmhandReleased' }) },
          problems,
        }),
        headers: idempotencyHeader,
        querystring: z.object(targetParameters).check(exactlyOneTarget),
      },
    },
    async ({ query, headers }, reply) => {
      refuseWhereTheirs(bridge.state, 'releaseFarmhand');
      const applied = appliedBy(await ownership.release(targetOf(query), idempotencyKey(headers)));
      sendJson(
        reply,
        answerOf(applied, (name) => `${name} is for whoever takes it next`),
      );
      return reply;
    },
  );
}

function answerOf(
  { operationId, outcome }: Applied,
  says: (name: string, after: z.infer<typeof ownershipFacts>) => string,
) {
  if (outcome.subject === undefined) throw new Error('a farmhand changed its owner, and nobody says which');
  const { id, name } = outcome.subject;
  const after = ownershipFacts.parse(outcome.after);
  return {
    success: true,
    message: says(name || id, after),
    operationId,
    ...withTwin('playerId', id),
    playerName: name,
    before: ownershipFacts.parse(outcome.before),
    after,
  };
}
