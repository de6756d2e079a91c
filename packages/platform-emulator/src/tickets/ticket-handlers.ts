import type { Catalogue } from '../catalogue/catalogue.ts';
import { type CmHandler, exchange } from '../cm/cm-message.ts';
import type { Randomness } from '../randomness.ts';
import { eresult } from '../wire/eresult.ts';
import { messageNumbers } from '../wire/message-numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import { type EncryptedAppTicket, sealTicket } from './encrypted-app-ticket.ts';
import { ownershipTicket } from './ownership-ticket.ts';
import type { TicketCooldown } from './ticket-cooldown.ts';

export interface TicketParts {
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
