import { urlHere } from '@steward/service-kit/http/here';
import { type SessionStateName, type SidecarHealth, sidecarHealth } from '@steward/shared/sidecar/health';
import type { ExitCodeName } from '../../commands/run/exit-codes.ts';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import type { Check } from '../examination.ts';
import { failed, ok, type Result, warning } from '../finding.ts';
import { errorCode } from '../what-went-wrong.ts';

const answerLimitMs = 3_000;
const limitMs = 5_000;

/** What a service that runs here says of itself; absent where none runs. */
export interface Service {
  readonly health?: SidecarHealth;
}

export const serviceCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, Service> = {
  name: 'service',
  title: 'Running service',
  limitMs,
  async examine({ configuration: { HOST, PORT } }) {
    let answer: Response;
    try {
      answer = await fetch(`${urlHere(HOST, PORT)}/health`, { signal: AbortSignal.timeout(answerLimitMs) });
    } catch (error) {
      return warning(
        `nothing answers on port ${PORT} (${errorCode(error)})`,
        'Start it; one that runs in a container is seen from inside: `docker compose exec platform-auth node dist/main.js doctor`',
        {},
      );
    }
    const health = sidecarHealth.safeParse(await answer.json().catch(() => undefined));
    if (!health.success)
      return {
        value: {},
        ...failed(
          'failure',
          `another program answers on port ${PORT}`,
          'Choose another PORT, or stop that program',
        ),
      };
    return finding(health.data);
  },
};

function finding(health: SidecarHealth): Result<Service> {
  const { state, reason: found, remedy, warnings = [] } = health.session;
  if (health.logged_in && warnings.length === 0) return ok(found, { health });
  if (health.logged_in) return warning(warnings.join('; '), 'See its log', { health });
  if (state === 'logging-in') return ok(found, { health });
  return { value: { health }, ...failed(ends[state] ?? 'login-refused', found, remedy ?? 'See its log') };
}

const ends: Partial<Record<SessionStateName, ExitCodeName>> = {
  'no-account': 'no-credentials',
  retrying: 'network',
  'rate-limited': 'rate-limited',
};
