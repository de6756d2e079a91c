import { type CmHandler, exchange } from '../cm/cm-message.ts';
import { eresult } from '../wire/eresult.ts';
import { messageNumbers } from '../wire/message-numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import type { Catalogue } from './catalogue.ts';

/** 5438 -> 5439, in steammessages_clientserver_2.proto; AccessDenied for a depot of an app that the account does not own. */
export function depotKeyHandler(catalogue: Catalogue): CmHandler {
  return exchange<
    { app_id: number; depot_id: number },
    { depot_id: number; eresult: number; depot_encryption_key?: Buffer }
  >({
    request: {
      message: messageNumbers.ClientGetDepotDecryptionKey,
      type: messageType('CMsgClientGetDepotDecryptionKey'),
    },
    response: {
      message: messageNumbers.ClientGetDepotDecryptionKeyResponse,
      type: messageType('CMsgClientGetDepotDecryptionKeyResponse'),
    },
    answer({ app_id, depot_id = 0 }, { account }) {
      const depot = catalogue.depotFor(account, app_id, depot_id);
      if (depot === undefined) return { depot_id, eresult: eresult.accessDenied };
      return { depot_id, eresult: eresult.ok, depot_encryption_key: depot.key };
    },
    failure: ({ depot_id = 0 }, failed) => ({ depot_id, eresult: failed }),
  });
}
