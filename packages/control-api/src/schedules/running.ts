import type { Log } from '@steward/service-kit/log/logger';
import {
  type ActionValues,
  type RunOutcome,
  type ScheduleActionName,
  scheduleActions,
} from '@steward/shared/api/schedule-parameters';
import { Problem } from '@steward/shared/problems/problem';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import type { Audit } from '../audit/audit.ts';
import type { CommandResult, Operation } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import type { ScheduleDefinition } from '../store/tables/schedules.ts';

/** What carries out each action: what the handler of its endpoint calls, too. */
export type ScheduleRuns = {
  readonly [Name in ScheduleActionName]: (values: ActionValues<Name>) => Promise<CommandResult>;
};

/** How an action ended. */
export interface RunEnd {
  readonly outcome: Exclude<RunOutcome, 'skipped'>;
  readonly operationId?: string | undefined;
  readonly reason?: string | undefined;
}

export interface RunningParts {
  readonly runs: ScheduleRuns;
  readonly operations: Pick<Operations, 'find' | 'follow'>;
  readonly audit: Pick<Audit, 'begin'>;
  readonly log: Pick<Log, 'error'>;
}

/** Does what a schedule does, with the right of who made it, and waits for its end; nothing that goes wrong is thrown. */
export async function carriedOut(
  { name, keyId, action, parameters }: ScheduleDefinition,
  { runs, operations, audit, log }: RunningParts,
): Promise<RunEnd> {
  const begun = audit.begin({
    actor: `schedule ${name}`,
    keyId: keyId ?? undefined,
    door: 'schedule',
    action: 'runSchedule',
    says: scheduleActions[action].audit,
    parameters: { action, ...parameters },
  });
  // What was kept was read by the kinds of this action.
  const run = runs[action] as (values: ScheduleDefinition['parameters']) => Promise<CommandResult>;
  let end: RunEnd;
  let problem: ProblemCode | undefined;
  try {
    end = endOf(await settled(await begun.carry(() => run(parameters)), operations));
  } catch (error) {
    if (!(error instanceof Problem))
      log.error({ err: error }, `the schedule ${name} hit an error in this service`);
    problem = error instanceof Problem ? error.code : 'internal-error';
    end = {
      outcome: 'failed',
      reason: error instanceof Problem ? error.message : 'an error in this service: see its log',
    };
  }
  const { outcome, operationId } = end;
  const notDone = problem === 'internal-error' ? 'failed' : 'refused';
  await begun.ended({ outcome: outcome === 'failed' ? notDone : outcome, operationId, problem });
  return end;
}

/** Whoever asks over HTTP is told at some time that it is under way; here nobody waits but the next run. */
async function settled(
  result: CommandResult,
  operations: Pick<Operations, 'find' | 'follow'>,
): Promise<CommandResult> {
  if (result.kind !== 'operation') return result;
  const { id } = result.operation;
  const now = operations.find(id) ?? result.operation;
  if (!isUnderWay(now)) return { kind: 'operation', operation: now };
  return await new Promise((resolve) => {
    const stop = operations.follow((operation) => {
      if (operation.id !== id || isUnderWay(operation)) return;
      stop();
      resolve({ kind: 'operation', operation });
    });
  });
}

function isUnderWay({ state }: Operation): boolean {
  return state === 'pending' || state === 'claimed';
}

function endOf(result: CommandResult): RunEnd {
  switch (result.kind) {
    case 'operation':
      return endOfOperation(result.operation);
    case 'unavailable':
    case 'key-unreadable':
      return { outcome: 'failed', reason: result.reason };
    case 'unsupported':
      return { outcome: 'failed', reason: `the connected game has no ${result.command}` };
    case 'key-reused':
      return { outcome: 'failed', reason: 'its key belongs to another request' };
  }
}

function endOfOperation({ id: operationId, state, outcome, why }: Operation): RunEnd {
  if (state === 'applied') return { outcome: 'applied', operationId };
  if (state === 'unknown') return { outcome: 'unknown', operationId, reason: why };
  const reason = outcome?.outcome === 'refused' ? outcome.message : why;
  return { outcome: 'failed', operationId, reason };
}
