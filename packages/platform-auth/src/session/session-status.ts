import type { Clock } from '@steward/service-kit/clock';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/timestamp';
import type { SessionSupervisor } from './session-supervisor.ts';
import { sessionWords } from './session-words.ts';
import { remainingDays } from './token-care.ts';

/** The session as `/health` tells it. */
export function sessionStatusOf(
  { model, login, since }: Pick<SessionSupervisor, 'model' | 'login' | 'since'>,
  warnings: readonly string[],
  clock: Pick<Clock, 'date'>,
): SessionStatus {
  const days = login === undefined ? undefined : remainingDays(login, clock);
  return {
    ...sessionWords(model),
    since: timestampOf(since),
    ...(model.state.name === 'waiting'
      ? { next_retry: later(since, model.state.untilMs - model.sinceMs) }
      : {}),
    ...(days === undefined ? {} : { token_days_remaining: days }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}

function later(date: Date, ms: number): string {
  return timestampOf(new Date(date.getTime() + ms));
}
