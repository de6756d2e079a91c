import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem, problemSchema } from '@steward/shared/problems/problem';
import { z } from 'zod';
import type { GameBridge } from '../bridge/game-bridge.ts';
import { operation } from '../bridge/operations/operation.ts';
import { bearerScheme } from '../openapi/document.ts';

const operationAnswer = operation
  .pick({ id: true, command: true, state: true, createdAt: true, changedAt: true, why: true, outcome: true })
  .meta({
    id: 'Operation',
    description:
      'A command to the game: `applied`, `refused` and `void` (not applied, and it never will be) are final; `unknown` is settled when the game is back.',
  });

/** How commands ended whose callers were told that it was not known yet. */
export function operationRoutes(server: HttpServer, bridge: Pick<GameBridge, 'operation'>): void {
  server.get(
    '/operations/:id',
    {
      schema: {
        operationId: 'getOperation',
        summary: 'How a command to the game ended',
        tags: ['Server'],
        security: [{ [bearerScheme]: [] }],
        params: z.object({
          id: z.string().meta({ description: "The operation id in the command's answer" }),
        }),
        response: { 200: operationAnswer, 404: problemSchema },
      },
    },
    async ({ params: { id } }) => {
      const found = bridge.operation(id);
      if (found === undefined)
        throw new Problem('operation-not-found', `There is no operation ${id.slice(0, 40)}`);
      return found;
    },
  );
}
