import type { Account } from '../accounts/accounts.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type CmHandler, exchange } from '../cm/cm-message.ts';
import type { Randomness } from '../randomness.ts';
import { eresult, messageNumbers } from '../wire/numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import { type EncryptedAppTicket, ownershipTicket, sealTicket } from './app-tickets.ts';

/** How long the real platform makes an account wait between two encrypted tickets for one app. */
const cooldownMs = 60_000;

export class TicketCooldown {
  readonly #last = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a ticket that is given; false while it is too early for one. */
  allows(account: Account, appId: number): boolean {
    const key = `${account.steamId}:${appId}`;
    const last = this.#last.get(key);
    if (last !== undefined && this.#now() - last < cooldownMs) return false;
    this.#last.set(key, this.#now());
    return true;
  }

  /** As if the time were over. */
  lift(): void {
    this.#last.clear();
  }
}

interface TicketParts {
  /** 32 bytes: whoever verifies tickets holds them too. */
  readonly ticketKey: Buffer;
  readonly catalogue: Catalogue;
  readonly cooldown: TicketCooldown;
  readonly randomness: Randomness;
  readonly now: () => number;
}

export function ticketHandlers(parts: TicketParts): CmHandler[] {
  return [ownership(parts), encrypted(parts)];
}

/** 857 -> 858, in steammessages_clientserver.proto; AccessDenied for an app that the account does not own; what is free, everyone owns. */
function ownership({ catalogue, now }: TicketParts): CmHandler {
  return exchange<{ app_id: number }, { app_id: number; eresult: number; ticket?: Buffer }>({
    request: {
      message: messageNumbers.ClientGetAppOwnershipTicket,
      type: messageType('CMsgClientGetAppOwnershipTicket'),
    },
    response: {
      message: messageNumbers.ClientGetAppOwnershipTicketResponse,
      type: messageType('CMsgClientGetAppOwnershipTicketResponse'),
    },
    answer({ app_id = 0 }, { account }) {
      const isFree = catalogue.app(app_id)?.free === true;
      if (!isFree && !account.owns.includes(app_id)) return { app_id, eresult: eresult.accessDenied };
      return { app_id, eresult: eresult.ok, ticket: ownershipTicket(account, app_id, seconds(now)) };
    },
    failure: ({ app_id = 0 }, failed) => ({ app_id, eresult: failed }),
  });
}

/** 5526 -> 5527, in steammessages_clientserver_2.proto. Unowned: AccessDenied; too soon: LimitExceeded. */
function encrypted({ ticketKey, cooldown, randomness, now }: TicketParts): CmHandler {
  return exchange<
    { app_id: number; userdata: Buffer },
    { app_id: number; eresult: number; encrypted_app_ticket?: EncryptedAppTicket }
  >({
    request: {
      message: messageNumbers.ClientRequestEncryptedAppTicket,
      type: messageType('CMsgClientRequestEncryptedAppTicket'),
    },
    response: {
      message: messageNumbers.ClientRequestEncryptedAppTicketResponse,
      type: messageType('CMsgClientRequestEncryptedAppTicketResponse'),
    },
    answer({ app_id = 0, userdata = Buffer.alloc(0) }, { account }) {
      if (!account.owns.includes(app_id)) return { app_id, eresult: eresult.accessDenied };
      if (!cooldown.allows(account, app_id)) return { app_id, eresult: eresult.limitExceeded };
      const ticket = ownershipTicket(account, app_id, seconds(now));
      return {
        app_id,
        eresult: eresult.ok,
        encrypted_app_ticket: sealTicket(ticket, userdata, ticketKey, randomness),
      };
    },
    failure: ({ app_id = 0 }, failed) => ({ app_id, eresult: failed }),
  });
}

function seconds(now: () => number): number {
  return Math.floor(now() / 1000);
}
