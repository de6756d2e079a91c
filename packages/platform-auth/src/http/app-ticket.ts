import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import { appTicketAnswer } from '@steward/shared/sidecar/app-ticket';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import type { Login } from '../session/login.ts';
import { notOwned } from '../tickets/not-owned.ts';
import { NoTicket, type TicketAnswer, type TicketDesk } from '../tickets/ticket-desk.ts';
import { noSession, retryAfter } from './no-session.ts';

const secondMs = 1_000;

export interface AppTicketParts {
  readonly login: () => Login | undefined;
  /** The ticket that is good still while there is no session. */
  readonly keptTicket: () => TicketAnswer | undefined;
  readonly sessionStatus: () => SessionStatus;
  readonly desk: TicketDesk;
  readonly now: () => Date;
}

/** The one thing that leaves this service for the game: a proof of identity that nobody can log in with. */
export function appTicketRoute(server: HttpServer, parts: AppTicketParts): void {
  const schema = { response: { 200: appTicketAnswer } };
  server.get('/platform/app-ticket', { schema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const login = parts.login();
    try {
      const given = login === undefined ? parts.keptTicket() : await parts.desk.ticket(login);
      if (given === undefined) throw noSession(reply, parts.sessionStatus(), parts.now());
      return { app_ticket: given.ticket.toString('base64'), platform_id: given.platformId };
    } catch (error) {
      if (!(error instanceof NoTicket)) throw error;
      retryAfter(reply, error.retryAfterMs / secondMs);
      throw problemOf(error);
    }
  });
}

function problemOf({ isNotOwned, failure: { reason } }: NoTicket): Problem {
  if (!isNotOwned)
    return new Problem('platform-unavailable', reason, { state: 'logged-in', reason, retry: true });
  const { reason: why, remedy } = notOwned;
  return new Problem('not-owned', `${why}. ${remedy}`, { reason: why, remedy });
}
