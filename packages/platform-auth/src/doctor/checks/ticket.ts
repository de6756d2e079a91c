import { appTicketAnswer } from '@steward/shared/sidecar/app-ticket';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import { failureOf } from '../../platform/failure.ts';
import { gameAppId } from '../../platform/game-app.ts';
import type { PlatformSession } from '../../platform/platform-session.ts';
import { resultCodes } from '../../platform/result-codes.ts';
import { askService } from '../ask-service.ts';
import type { Check } from '../examination.ts';
import { failed, ok, type Result, warning } from '../finding.ts';
import type { Service } from './service.ts';

const limitMs = 14_000;

interface Needs {
  readonly configuration: PlatformAuthConfiguration;
  readonly service: Service;
  readonly session: PlatformSession;
  readonly ownership: true;
}

/** The platform gives an account one ticket a minute: a running service is asked for its own, so that none is taken from it. */
export const ticketCheck: Check<Needs, true> = {
  name: 'ticket',
  title: 'App ticket',
  limitMs,
  async examine({ configuration, service, session }) {
    if (service.health?.logged_in === true) return ofService(configuration);
    try {
      const ticket = await session.appTicket(gameAppId);
      return ok(`the platform gave one of ${ticket.length} bytes`, true);
    } catch (error) {
      if (failureOf(error).eresult === resultCodes.limitExceeded) return tooSoon;
      throw error;
    }
  },
};

const tooSoon = warning(
  'another one was given within the last minute, and the platform gives one a minute',
  'None is needed; run it again in a minute to be sure',
  true as const,
);

async function ofService(configuration: PlatformAuthConfiguration): Promise<Result<true>> {
  const asked = await askService(configuration, '/platform/app-ticket');
  if ('finding' in asked) return asked.finding.found.includes('LimitExceeded') ? tooSoon : asked;
  const answer = appTicketAnswer.safeParse(asked.body);
  if (!answer.success)
    return failed('failure', 'the service gave something else', 'Update it: it is of another version');
  const { length } = Buffer.from(answer.data.app_ticket, 'base64');
  return ok(`the service gives one of ${length} bytes`, true);
}
