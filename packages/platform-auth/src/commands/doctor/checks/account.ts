import type { Clock } from '@steward/service-kit/clock';
import { gameAppId } from '@steward/shared/sidecar/download';
import type { PlatformAuthConfiguration } from '../../../configuration.ts';
import { failureOf, passes } from '../../../platform/failure.ts';
import type { Platform, PlatformSession } from '../../../platform/platform-session.ts';
import { ConfiguredAccount, foreignToken } from '../../../session/configured-account.ts';
import { type LoginSource, sourceNames } from '../../../session/login-source.ts';
import { daysUntil, readRefreshToken } from '../../../session/refresh-token.ts';
import { newCredentials } from '../../../session/session-words.ts';
import { warnBelowDays } from '../../../session/token-care.ts';
import { SessionStore } from '../../../tokens/session-store.ts';
import { exitCodes } from '../../run/exit-codes.ts';
import {
  type CheckFinding,
  failed,
  ok,
  platformFailed,
  type Result,
  skipped,
  warning,
} from '../check-finding.ts';
import type { Check } from '../examination.ts';
import type { Service } from './service.ts';

const limitsMs = {
  credentials: 5_000,
  /** Longer than the platform's own deadline on a logon, for each of two tokens. */
  login: 65_000,
  ownership: 12_000,
} as const;

interface CredentialsNeeds {
  readonly configuration: PlatformAuthConfiguration;
  readonly sessionDirectory: true;
}

/** What there is to log in with, and how long it lasts by its own account. */
export function credentialsCheck(clock: Clock): Check<CredentialsNeeds, readonly LoginSource[]> {
  return {
    name: 'credentials',
    title: 'Credentials',
    limitMs: limitsMs.credentials,
    async examine({ configuration }) {
      const problems: string[] = [];
      const store = new SessionStore({
        directory: configuration.SESSION_DIR,
        clock,
        report: (problem) => problems.push(problem),
        isReadOnly: true,
      });
      const saved = await store.list();
      const account = new ConfiguredAccount(configuration, store);
      const sources = await account.sources();
      if (sources.length === 0) return noCredentials(configuration, saved.length, problems[0]);
      const findings = sources.map((source) => ageOf(source, clock.date()));
      const usable = sources.filter((_source, index) => findings[index]?.status !== 'failed');
      const dead = findings.find((finding) => finding.status === 'failed');
      if (dead !== undefined)
        return usable.length === 0 ? { finding: dead } : warning(dead.found, dead.remedy, usable);
      const nearItsEnd = findings.find(({ status }) => status === 'warning');
      if (nearItsEnd !== undefined) return { finding: nearItsEnd, value: usable };
      const [problem] = problems;
      if (problem !== undefined)
        return warning(problem, 'Fix that, or log in again with `platform-auth login`', usable);
      if (await account.hasForeignToken()) return warning(foreignToken.reason, foreignToken.remedy, usable);
      return ok(findings.map(({ found }) => found).join('; '), usable);
    },
  };
}

function noCredentials(
  { PLATFORM_USERNAME, PLATFORM_PASSWORD }: PlatformAuthConfiguration,
  saved: number,
  problem: string | undefined,
): Result<never> {
  if (saved > 1)
    return failed(
      'failure',
      `SESSION_DIR holds sessions of ${saved} accounts`,
      'Set PLATFORM_USERNAME to the right one',
    );
  if (saved > 0 && PLATFORM_USERNAME !== undefined)
    return failed(
      'no-credentials',
      'the saved session is of another account than PLATFORM_USERNAME',
      'Fix PLATFORM_USERNAME, or log in as that account with `platform-auth login`',
    );
  if (PLATFORM_PASSWORD !== undefined)
    return failed(
      'failure',
      'PLATFORM_PASSWORD is set without PLATFORM_USERNAME',
      'Set PLATFORM_USERNAME, too',
    );
  return failed(
    'no-credentials',
    problem === undefined ? 'there are no credentials' : `there are no credentials. ${problem}`,
    'Run `platform-auth login` in a terminal',
  );
}

function ageOf(source: LoginSource, now: Date): CheckFinding {
  const name = sourceNames[source.kind];
  if (source.kind === 'password') return { status: 'ok', found: `${name} is set` };
  const read = readRefreshToken(source.token);
  const remedy = newCredentials[source.kind];
  if (source.kind === 'environment-token' && source.spent !== undefined)
    return failed('login-refused', `${name}: ${source.spent.reason}`, remedy).finding;
  if (!read.ok) return failed('login-refused', `${name} ${read.reason}`, remedy).finding;
  const days = daysUntil(read.value.expiresAt, now);
  if (read.value.expiresAt <= now) return failed('login-refused', `${name} has expired`, remedy).finding;
  const found = `${name} lasts ${days} more ${days === 1 ? 'day' : 'days'}`;
  return days < warnBelowDays ? { status: 'warning', found, remedy } : { status: 'ok', found };
}

interface LoginNeeds {
  readonly configuration: PlatformAuthConfiguration;
  readonly credentials: readonly LoginSource[];
  readonly connectionManagers: true;
  readonly service: Service;
}

interface LoginParts {
  readonly platform: (configuration: PlatformAuthConfiguration) => Platform;
  /** Is given each session, to close it when everything was looked at. */
  readonly opened: (session: PlatformSession) => void;
}

/** Logs on with a session of its own, beside the service's. Nothing is saved or renewed. */
export function loginCheck({ platform, opened }: LoginParts): Check<LoginNeeds, PlatformSession> {
  return {
    name: 'login',
    title: 'Login',
    limitMs: limitsMs.login,
    async examine({ configuration, credentials, service }) {
      if (service.health?.session.state === 'rate-limited')
        return skipped(
          'the service waits until the platform allows a login; another attempt makes the wait longer',
        );
      let dead: Result<PlatformSession> | undefined;
      for (const source of credentials) {
        if (source.kind === 'password') continue;
        try {
          const session = await platform(configuration).logOn(source.token);
          opened(session);
          const found = `logged in with ${sourceNames[source.kind]}`;
          if (dead?.finding.status !== 'failed') return ok(found, session);
          return warning(`${dead.finding.found}; ${found}`, dead.finding.remedy, session);
        } catch (error) {
          const failure = failureOf(error);
          if (passes(failure)) return platformFailed(failure);
          const found = `${sourceNames[source.kind]}: ${failure.reason}`;
          dead ??= failed('login-refused', found, failure.remedy ?? newCredentials[source.kind]);
        }
      }
      return (
        dead ??
        skipped(
          'a password is not tried here, because the platform counts logins. `platform-auth login` tries it',
        )
      );
    },
  };
}

export const ownershipCheck: Check<{ readonly session: PlatformSession }, true> = {
  name: 'ownership',
  title: 'Ownership',
  limitMs: limitsMs.ownership,
  async examine({ session }) {
    if (await session.content.ownsApp(gameAppId)) return ok('the account owns the game', true);
    return failed('not-owned', 'the account does not own the game', exitCodes['not-owned'].remedy);
  },
};
