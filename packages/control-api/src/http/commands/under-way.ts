import type { AnswerOf } from '@steward/shared/api/answers';
import type { EndpointId } from '@steward/shared/api/endpoints';
import type { FastifyReply } from 'fastify';
import type { CommandResult } from '../../game/operations/operation.ts';

/** The answer to what takes longer than anybody waits, 202, whose schema stands beside that of the 200; undefined for what has ended. */
export function underWay<Id extends EndpointId>(
  result: CommandResult,
  reply: Pick<FastifyReply, 'code'>,
  says: string,
): AnswerOf<Id> | undefined {
  if (result.kind !== 'operation' || result.operation.state !== 'claimed') return undefined;
  reply.code(202);
  const { id: operationId } = result.operation;
  const message = `${says}: GET /operations/${operationId} tells how it ends`;
  const answer: unknown = { success: true, message, operationId };
  return answer as AnswerOf<Id>;
}
