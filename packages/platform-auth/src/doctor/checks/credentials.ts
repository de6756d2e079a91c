import type { Clock } from '@steward/service-kit/clock';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import { Account, foreignToken } from '../../session/account.ts';
import { type LoginSource, sourceNames } from '../../session/login-source.ts';
import { daysUntil, readRefreshToken } from '../../session/refresh-token.ts';
import { newCredentials } from '../../session/session-words.ts';
import { warnBelowDays } from '../../session/token-care.ts';
import { SessionStore } from '../../tokens/session-store.ts';
import type { Check } from '../examination.ts';
import { type Finding, failed, ok, type Result, warning } from '../finding.ts';

const limitMs = 5_000;

interface Needs {
  readonly configuration: PlatformAuthConfiguration;
  readonly sessionDirectory: true;
}

/** What there is to log in with, and how long it lasts by its own account. */
export function credentialsCheck(clock: Clock): Check<Needs, readonly LoginSource[]> {
  return {
    name: 'credentials',
    title: 'Credentials',
    limitMs,
    async examine({ configuration }) {
      const problems: string[] = [];
      const store = new SessionStore({
        directory: configuration.SESSION_DIR,
        clock,
        report: (problem) => problems.push(problem),
      });
      const saved = await store.list();
      const account = new Account(configuration, store);
      const sources = await account.sources();
      if (sources.length === 0) return nothing(configuration, saved.length);
      const findings = sources.map((source) => age(source, clock.date()));
      const usable = sources.filter((_source, index) => findings[index]?.status !== 'failed');
      const dead = findings.find((finding) => finding.status === 'failed');
      if (dead !== undefined)
        return usable.length === 0 ? { finding: dead } : warning(dead.found, dead.remedy, usable);
      const nearItsEnd = findings.find(({ status }) => status === 'warning');
      if (nearItsEnd !== undefined) return { finding: nearItsEnd, value: usable };
      const [problem] = problems;
      if (problem !== undefined)
        return warning(problem, 'Mend that, or log in anew with `platform-auth login`', usable);
      if (await account.hasForeignToken()) return warning(foreignToken.reason, foreignToken.remedy, usable);
      return ok(findings.map(({ found }) => found).join('; '), usable);
    },
  };
}

function nothing({ PLATFORM_USERNAME }: PlatformAuthConfiguration, saved: number): Result<never> {
  if (saved > 1)
    return failed(
      'failure',
      `SESSION_DIR holds sessions of ${saved} accounts`,
      'Set PLATFORM_USERNAME to the one that is meant',
    );
  if (saved > 0 && PLATFORM_USERNAME !== undefined)
    return failed(
      'no-credentials',
      'the saved session is of another account than PLATFORM_USERNAME',
      'Mend PLATFORM_USERNAME, or log in as that account with `platform-auth login`',
    );
  return failed(
    'no-credentials',
    'there is nothing to log in with',
    'Run `platform-auth setup` on a terminal',
  );
}

function age(source: LoginSource, now: Date): Finding {
  const name = sourceNames[source.kind];
  if (source.kind === 'password') return { status: 'ok', found: `${name} is set` };
  const read = readRefreshToken(source.token);
  const remedy = newCredentials[source.kind];
  if (!read.ok) return failed('login-refused', `${name} ${read.reason}`, remedy).finding;
  const days = daysUntil(read.value.expiresAt, now);
  if (read.value.expiresAt <= now) return failed('login-refused', `${name} has expired`, remedy).finding;
  const found = `${name} lasts ${days} more ${days === 1 ? 'day' : 'days'}`;
  return days < warnBelowDays ? { status: 'warning', found, remedy } : { status: 'ok', found };
}
