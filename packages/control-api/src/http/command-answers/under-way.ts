import type { AnswerOf } from '@steward/shared/api/answers';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyReply } from 'fastify';
import type { CommandResult, Operation } from '../../game/operations/operation.ts';
import { problemOf } from './command-problems.ts';

type UnderWay = AnswerOf<'startDrain'>;

/**
 * The answer to what nobody waits for: 202 as soon as it has begun, however it ended, and the same for each retry, unless it has come to
 * nothing by then. What could not be kept has not begun.
 */
export function begun(result: CommandResult, reply: Pick<FastifyReply, 'code'>, says: string): UnderWay {
  if (result.kind !== 'operation') throw problemOf(result);
  const { operation, isRetry } = result;
  if (operation.notDurable) throw problemOf(result);
  if (isRetry && operation.state === 'void') throw cameToNothing(operation);
  return told(operation, reply, says);
}

/** The answer to what takes longer than who asked would wait, whose schema stands beside that of the 200; undefined for what has ended. */
export function stillUnderWay<Answer>(
  result: CommandResult,
  reply: Pick<FastifyReply, 'code'>,
  says: string,
): Answer | undefined {
  if (result.kind !== 'operation' || result.operation.state !== 'claimed') return undefined;
  return told(result.operation, reply, says) as Answer;
}

/** Before it was cancelled it may have sent players away. */
function cameToNothing({ id: operationId, why }: Operation): Problem {
  return new Problem(
    'command-void',
    `It was ended, and this request does not begin it again: ${why ?? 'it was cancelled'}`,
    {
      operationId,
      applied: false,
    },
  );
}

function told({ id: operationId }: Operation, reply: Pick<FastifyReply, 'code'>, says: string): UnderWay {
  reply.code(202);
  const message = `${says}: GET /operations/${operationId} shows how it ends`;
  return { success: true, message, operationId };
}
