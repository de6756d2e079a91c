import type { SessionStatus } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/timestamp';
import type { Clock } from '../clock.ts';
import type { Login } from './login.ts';
import type { SessionModel } from './session-machine.ts';
import { sessionWords } from './session-words.ts';
import { remainingDays } from './token-care.ts';

/** The session as `/health` tells it. */
export function sessionStatusOf(
  model: SessionModel,
  login: Login | undefined,
  warnings: readonly string[],
  clock: Clock,
): SessionStatus {
  const days = login === undefined ? undefined : remainingDays(login, clock);
  return {
    ...sessionWords(model),
    since: onTheClock(model.sinceMs, clock),
    ...(model.state.name === 'waiting' ? { next_retry: onTheClock(model.state.untilMs, clock) } : {}),
    ...(days === undefined ? {} : { token_days_remaining: days }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}

/** The machine's time, which only runs forward, as the time of day. */
function onTheClock(ms: number, clock: Clock): string {
  return timestampOf(new Date(clock.date().getTime() + ms - clock.now()));
}
