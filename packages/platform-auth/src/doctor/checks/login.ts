import type { PlatformAuthConfiguration } from '../../configuration.ts';
import { failureOf, passes } from '../../platform/failure.ts';
import type { Platform, PlatformSession } from '../../platform/platform-session.ts';
import { type LoginSource, sourceNames } from '../../session/login-source.ts';
import { newCredentials } from '../../session/session-words.ts';
import type { Check } from '../examination.ts';
import { failed, ok, type Result, skipped, warning } from '../finding.ts';
import { platformFailed } from '../what-went-wrong.ts';
import type { Service } from './service.ts';

/** Longer than the platform's own deadline on a logon, for each of two tokens. */
const limitMs = 65_000;

interface Needs {
  readonly configuration: PlatformAuthConfiguration;
  readonly credentials: readonly LoginSource[];
  readonly connectionManagers: true;
  readonly service: Service;
}

export interface LoginParts {
  readonly platform: (configuration: PlatformAuthConfiguration) => Platform;
  /** Is given each session, to close it when everything was looked at. */
  readonly opened: (session: PlatformSession) => void;
}

/** Logs on with a session of its own, beside the service's. Nothing is saved or renewed. */
export function loginCheck({ platform, opened }: LoginParts): Check<Needs, PlatformSession> {
  return {
    name: 'login',
    title: 'Login',
    limitMs,
    async examine({ configuration, credentials, service }) {
      if (service.health?.session.state === 'rate-limited')
        return skipped(
          'the service waits until the platform allows a login; another try makes the wait longer',
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
        skipped('a password is not tried here: the platform counts logins. `platform-auth login` tries it')
      );
    },
  };
}
