import { urlHere } from '@steward/service-kit/http/addresses';
import { gameAppId } from '@steward/shared/sidecar/download';
import { type SessionStateName, type SidecarHealth, sidecarHealth } from '@steward/shared/sidecar/health';
import { appTicketAnswer, type LobbyAnswer, lobbyAnswer } from '@steward/shared/sidecar/platform';
import { z } from 'zod';
import type { PlatformAuthConfiguration } from '../../../configuration.ts';
import { failureOf } from '../../../platform/failure.ts';
import { resultCodes } from '../../../platform/platform-constants.ts';
import type { PlatformSession } from '../../../platform/platform-session.ts';
import type { ExitCodeName } from '../../run/exit-codes.ts';
import { errorCode, failed, ok, type Result, skipped, warning } from '../check-finding.ts';
import type { Check } from '../examination.ts';

const limitsMs = {
  service: 5_000,
  ticket: 14_000,
  lobby: 14_000,
} as const;
const healthLimitMs = 3_000;

/** What a service that runs here says of itself; absent where none runs. */
export interface Service {
  readonly health?: SidecarHealth;
}

export const serviceCheck: Check<{ readonly configuration: PlatformAuthConfiguration }, Service> = {
  name: 'service',
  title: 'Running service',
  limitMs: limitsMs.service,
  async examine({ configuration: { HOST, PORT } }) {
    let answer: Response;
    try {
      answer = await fetch(`${urlHere(HOST, PORT)}/health`, { signal: AbortSignal.timeout(healthLimitMs) });
    } catch (error) {
      return warning(
        `nothing answers on port ${PORT} (${errorCode(error)})`,
        'Start it; if it runs in a container, run the doctor inside: `docker compose exec platform-auth node dist/main.js doctor`',
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
    return serviceFinding(health.data);
  },
};

function serviceFinding(health: SidecarHealth): Result<Service> {
  const { state, reason: found, remedy, warnings = [] } = health.session;
  const { contended } = health;
  if (health.logged_in && contended !== undefined)
    return warning([contended.reason, ...warnings].join('; '), contended.remedy, { health });
  if (health.logged_in && warnings.length === 0) return ok(found, { health });
  if (health.logged_in) return warning(warnings.join('; '), 'See its log', { health });
  if (state === 'logging-in' || state === 'paced') return ok(found, { health });
  return { value: { health }, ...failed(ends[state] ?? 'login-refused', found, remedy ?? 'See its log') };
}

const ends: Partial<Record<SessionStateName, ExitCodeName>> = {
  'no-account': 'no-credentials',
  retrying: 'network',
  'rate-limited': 'rate-limited',
};

interface TicketNeeds {
  readonly configuration: PlatformAuthConfiguration;
  readonly service: Service;
  readonly session: PlatformSession;
  readonly ownership: true;
}

/** The platform gives an account one ticket a minute: a running service is asked for its own, so that none is taken from it. */
export const ticketCheck: Check<TicketNeeds, true> = {
  name: 'ticket',
  title: 'App ticket',
  limitMs: limitsMs.ticket,
  async examine({ configuration, service, session }) {
    if (service.health?.logged_in === true) return ticketOfService(configuration);
    try {
      const ticket = await session.appTicket(gameAppId);
      return ok(`the platform gave one of ${ticket.length} bytes`, true);
    } catch (error) {
      if (failureOf(error).eresult === resultCodes.limitExceeded) return ticketTooSoon;
      throw error;
    }
  },
};

const ticketTooSoon = warning(
  'another ticket was given within the last minute, and the platform gives only one a minute',
  'Nothing to do; run it again in a minute to be sure',
  true as const,
);

async function ticketOfService(configuration: PlatformAuthConfiguration): Promise<Result<true>> {
  const asked = await askService(configuration, '/platform/app-ticket');
  if ('finding' in asked) return asked.finding.found.includes('LimitExceeded') ? ticketTooSoon : asked;
  const answer = appTicketAnswer.safeParse(asked.body);
  if (!answer.success)
    return failed('failure', 'the service gave something else', 'Update it: it is another version');
  const { length } = Buffer.from(answer.data.app_ticket, 'base64');
  return ok(`the service gives one of ${length} bytes`, true);
}

interface LobbyNeeds {
  readonly configuration: PlatformAuthConfiguration;
  readonly service: Service;
}

/**
 * The lobby of the service that runs here. None is opened to try it out: an account is in one lobby at a time, so that would take
 * the players' lobby away, and another kind than the public one does not exist here.
 */
export const lobbyCheck: Check<LobbyNeeds, true> = {
  name: 'lobby',
  title: 'Lobby',
  limitMs: limitsMs.lobby,
  async examine({ configuration, service }) {
    const { health } = service;
    if (health === undefined) return skipped('only a running service has one');
    const asked = await askService(configuration, '/platform/lobby');
    if ('finding' in asked) return asked;
    const answer = lobbyAnswer.safeParse(asked.body);
    if (!answer.success)
      return failed('failure', 'the service says something else', 'Update it: it is another version');
    return lobbyFinding(answer.data, health);
  },
};

function lobbyFinding(lobby: LobbyAnswer, health: SidecarHealth): Result<true> {
  const { state, reason = 'no reason is known' } = lobby;
  if (state === 'open') return ok('open and public', true);
  if (state === 'none') return ok('no game server has asked for one yet', true);
  const itself = health.logged_in ? 'it is tried again' : 'it comes back with the session';
  return warning(`${state}: ${reason}`, health.contended?.remedy ?? `Nothing to do: ${itself}`, true);
}

/** Longer than any route takes. */
const answerLimitMs = 12_000;
const okStatus = 200;
const unauthorizedStatus = 401;

/** Of a problem, what the service words itself. */
const problemAnswer = z.object({ reason: z.string().optional(), error: z.string() });

type Asked = { readonly body: unknown } | Result<never>;

/** Asks the running service, as the game server would; anything but 200 is a finding. */
async function askService(configuration: PlatformAuthConfiguration, path: string): Promise<Asked> {
  const { HOST, PORT, PLATFORM_AUTH_SECRET: secret } = configuration;
  const answer = await fetch(`${urlHere(HOST, PORT)}${path}`, {
    headers: secret === undefined ? {} : { authorization: `Bearer ${secret.reveal()}` },
    signal: AbortSignal.timeout(answerLimitMs),
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.status === okStatus) return { body };
  if (answer.status === unauthorizedStatus)
    return failed(
      'failure',
      'the service refuses this PLATFORM_AUTH_SECRET',
      'Run the doctor with the same environment as the service',
    );
  const read = problemAnswer.safeParse(body);
  const why = read.success ? (read.data.reason ?? read.data.error) : String(answer.status);
  return failed('network', `the service says: ${why}`, 'Its log says more');
}
