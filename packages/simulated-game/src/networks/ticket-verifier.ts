import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { Random } from '../time/random.ts';
import { issueAppTicket, readAppTicket } from './app-ticket/app-ticket.ts';

/** The app that the tickets are for. */
export const gameAppId = 413150;

export const ticketKeyBytes = 32;

/** The network's backend: it takes a ticket, and nothing but a ticket, for a sign-in. */
export interface TicketVerifier {
  /** The platform account that the ticket belongs to. */
  verify(ticket: Buffer): Parsed<bigint>;
}

export function verifierOf(key: Buffer | undefined): TicketVerifier {
  return {
    verify(ticket) {
      if (key === undefined) return refused(noKey);
      const read = readAppTicket(ticket, key);
      if (!read.ok) return refused(`the app ticket ${read.reason}`);
      if (read.value.appId !== gameAppId) return refused(`the app ticket is for app ${read.value.appId}`);
      return accepted(read.value.account);
    },
  };
}

/** The platform's part for players who own the game. Without the key it has nothing to give that would be taken. */
export function issuerOf(key: Buffer | undefined, random: Random): (account: bigint) => Buffer {
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
  return (account) =>
    key === undefined ? Buffer.alloc(0) : issueAppTicket({ account, appId: gameAppId }, key, bytes);
}

const noKey = 'the network has no key to verify app tickets with; set FARM_TICKET_KEY';
