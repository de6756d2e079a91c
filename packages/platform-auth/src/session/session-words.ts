import type { Clock } from '@steward/service-kit/clock';
import type { Trouble } from '@steward/shared/problems/trouble';
import type { SessionStateName, SessionStatus } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/wire-values';
import { retryTime } from '../platform/backoff.ts';
import type { PassingFailure } from '../platform/failure.ts';
import { type LoginSource, sourceNames } from './login-source.ts';
import type { SessionModel } from './session-machine.ts';
import type { SessionSupervisor } from './session-supervisor.ts';
import { remainingDays } from './token-care.ts';

export interface SessionWords extends Trouble {
  readonly state: SessionStateName;
}

export const waitingStates = {
  transient: 'retrying',
  'rate-limited': 'rate-limited',
  replaced: 'replaced',
} as const satisfies Record<PassingFailure['class'], SessionStateName>;

export const waitingRemedies: Readonly<Record<keyof typeof waitingStates, string>> = {
  transient: 'Nothing to do: it tries again by itself',
  'rate-limited':
    'Wait: every further attempt, by you or by Steward, makes the wait longer, and each start of Steward is one',
  replaced: stopTheOther('run `platform-auth login` to log in again, restart, or wait'),
};

/** `then`: what somebody does who has done it. */
export function stopTheOther(then: string): string {
  return `Find the other program that logs in with this account and stop it, or give each its own account; then ${then}`;
}

type NewCredentials = Readonly<Record<LoginSource['kind'], string>>;

/** What the service asks for. */
export const newCredentials = newCredentialsAnd('restart');

/** What a command that was run by hand asks for. */
export const newCredentialsByHand = newCredentialsAnd('run it again');

function newCredentialsAnd(then: string): NewCredentials {
  return {
    'environment-token': `Put a new token into PLATFORM_REFRESH_TOKEN (\`platform-auth export-token\` prints one) and ${then}`,
    'saved-session': 'Run `platform-auth login`; a running service notices the new session by itself',
    password: `Fix PLATFORM_PASSWORD and ${then}, or run \`platform-auth login\``,
  };
}

/** The state as people read it: what it is, why, and what to do. Never says whose session it is. */
export function sessionWords(
  { state, refused, sources, isFirstLook }: SessionModel,
  remedies: NewCredentials = newCredentials,
): SessionWords {
  switch (state.name) {
    case 'no-account':
      // An interrupted publication of the game's files is completed first, which may take a while.
      if (isFirstLook)
        return { state: 'logging-in', reason: 'The sidecar is starting, and looks for credentials next' };
      return {
        state: 'no-account',
        reason: 'No platform account is known',
        remedy:
          'Run `platform-auth login`; until then players join by direct IP, which needs no account. A running service notices the new session by itself',
      };
    case 'paced':
      return {
        state: 'paced',
        reason:
          'Waits for its turn to log in: PLATFORM_LOGIN_SPREAD spreads the logins of farms at one address',
        remedy: 'Nothing to do: it logs in by itself',
      };
    case 'logging-in':
      return { state: 'logging-in', reason: `Logging in with ${sourceNames[state.source.kind]}` };
    case 'logged-in':
      return { state: 'logged-in', reason: `Logged in with ${sourceNames[state.source.kind]}` };
    case 'waiting': {
      const { class: name, reason, remedy } = state.failure;
      return { state: waitingStates[name], reason, remedy: remedy ?? waitingRemedies[name] };
    }
    case 'credentials-refused': {
      const dead = sources.flatMap(({ id, kind }) => {
        const failure = refused.get(id);
        return failure === undefined ? [] : [{ kind, failure }];
      });
      const last = dead.at(-1);
      return {
        state: 'credentials-refused',
        reason: dead.map(({ kind, failure }) => `${sourceNames[kind]}: ${failure.reason}`).join('; '),
        ...(last === undefined ? {} : { remedy: last.failure.remedy ?? remedies[last.kind] }),
      };
    }
  }
}

/** The session as `/health` tells it. */
export function sessionStatusOf(
  { model, login, since }: Pick<SessionSupervisor, 'model' | 'login' | 'since'>,
  warnings: readonly string[],
  clock: Pick<Clock, 'now' | 'date'>,
): SessionStatus {
  const days = login === undefined ? undefined : remainingDays(login, clock);
  const retry = nextRetry(model, since, clock);
  return {
    ...sessionWords(model),
    since: timestampOf(since),
    ...(retry === undefined ? {} : { next_retry: retry }),
    ...(days === undefined ? {} : { token_days_remaining: days }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}

function nextRetry(
  { state, sinceMs }: SessionModel,
  since: Date,
  clock: Pick<Clock, 'now' | 'date'>,
): string | undefined {
  if (state.name !== 'waiting' && state.name !== 'paced') return undefined;
  const { untilMs } = state;
  return retryTime({ untilMs, plannedMs: since.getTime() + untilMs - sinceMs }, clock);
}
