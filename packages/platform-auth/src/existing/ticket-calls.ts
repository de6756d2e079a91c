import { createHash } from 'node:crypto';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import type { AppTicketParts } from '../http/app-ticket.ts';
import { NoTicket, type TicketAnswer } from '../tickets/ticket-desk.ts';
import { requireOnlyAccount } from './account-number.ts';
import { ExistingFailure } from './existing-failure.ts';

const digestDigits = 8;

export function ticketCalls(scope: HttpServer, parts: AppTicketParts): void {
  scope.get('/steam/app-ticket', async ({ query }, reply) => {
    requireOnlyAccount(query);
    const { ticket, platformId, source } = await ticketOf(parts, 500);
    reply.header('cache-control', 'no-store');
    return {
      app_ticket: ticket.toString('base64'),
      steam_id: platformId,
      source,
      sha8: createHash('sha256').update(ticket).digest('hex').slice(0, digestDigits),
      ticket_length_bytes: ticket.length,
    };
  });

  scope.get('/steam/ready', async ({ query }, reply) => {
    requireOnlyAccount(query);
    reply.header('cache-control', 'no-store');
    try {
      const { platformId } = await ticketOf(parts, 503);
      return { ready: true, account: 0, steam_id: platformId, has_ticket: true };
    } catch (error) {
      if (!(error instanceof ExistingFailure)) throw error;
      return reply.code(error.status).send({ ready: false, error: error.message });
    }
  });

  scope.get('/steam/refresh-token', async () => {
    throw new ExistingFailure(
      403,
      'This sidecar gives no credential to anybody; the game needs none, as it gets tickets from /steam/app-ticket',
    );
  });
}

async function ticketOf(parts: AppTicketParts, status: 500 | 503): Promise<TicketAnswer> {
  const login = parts.login();
  if (login === undefined) {
    const kept = parts.keptTicket();
    if (kept !== undefined) return kept;
    const { reason, remedy } = parts.sessionStatus();
    throw new ExistingFailure(status, remedy === undefined ? reason : `${reason}. ${remedy}`);
  }
  try {
    return await parts.desk.ticket(login);
  } catch (error) {
    if (error instanceof NoTicket) throw new ExistingFailure(status, error.failure.reason);
    throw error;
  }
}
