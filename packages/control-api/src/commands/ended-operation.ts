import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '@steward/service-kit/process/errors';
import type { AnswerOf } from '@steward/shared/api/answers';
import { operationEndpoints } from '@steward/shared/api/endpoints/operations';
import type { Ask } from './ask-service.ts';

/** Between two looks whether it has ended. */
const lookMs = 500;

/** What an operation has changed, once it has ended; throws what to say where it was not applied, or nobody knows. */
export async function endedOperation(ask: Ask, id: string, notApplied: string): Promise<unknown> {
  const one = { ...operationEndpoints.getOperation, on: `GET /operations/${id}` } as const;
  for (;;) {
    const { state, why = state, after } = (await ask(one, {})) as AnswerOf<'getOperation'>;
    if (state === 'applied') return after;
    if (state === 'unknown')
      throw new OperatorError(`It is not known whether that was done: ${why} (operation ${id})`);
    if (state !== 'claimed') throw new OperatorError(`${notApplied}: ${why} (operation ${id})`);
    await pause(lookMs);
  }
}
