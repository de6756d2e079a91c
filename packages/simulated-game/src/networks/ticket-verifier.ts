import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { readAppTicket } from './app-ticket/app-ticket.ts';

/** The app that the tickets are for. */
export const gameAppId = 413150;

export const ticketKeyBytes = 32;

/** The network's backend: it takes a ticket, and nothing but a ticket, for a sign-in. */
export interface TicketVerifier {
  /** The platform account that the ticket belongs to. */
  verify(ticket: Buffer): Parsed<bigint>;
}

export function ticketVerifier(key: Buffer): TicketVerifier {
  return {
    verify(ticket) {
      const read = readAppTicket(ticket, key);
      if (!read.ok) return refused(`the app ticket ${read.reason}`);
      if (read.value.appId !== gameAppId) return refused(`the app ticket is for app ${read.value.appId}`);
      return accepted(read.value.account);
    },
  };
}

/** Without the app's key no ticket can be told from a forged one, so none is taken. */
export const verifiesNothing: TicketVerifier = {
  verify: () => refused('the network has no key to verify app tickets with; set FARM_TICKET_KEY'),
};
