import { resultCodes } from '../platform-constants.ts';
import type { ContentDirectory, ContentServer } from '../platform-session.ts';
import { contentServerList } from './steam-user-internals.ts';
import type { SteamUserClient } from './steam-user-library.ts';

/** The kinds that hold depots; the others are for something else. */
const serverTypes = ['CDN', 'SteamCache'];
const noCode = '0';

/** Runs a request on the session, within its deadline, and turns whatever goes wrong into a failure. */
export type Ask = <T>(what: string, request: (client: SteamUserClient) => Promise<T>) => Promise<T>;

/** The content calls of a steam-user client. */
export function contentDirectory(ask: Ask): ContentDirectory {
  return {
    ownsApp: (appId) =>
      ask('whether the account owns the app', (client) =>
        client.getAppOwnershipTicket(appId).then(() => true, unlessDenied(false)),
      ),
    productInfo: (appId) =>
      ask('the product info', async (client) => {
        const { apps } = await client.getProductInfo([appId], [], true);
        return apps[appId]?.appinfo;
      }),
    depotKey: (appId, depotId) =>
      ask("a depot's key", (client) =>
        client.getDepotDecryptionKey(appId, depotId).then(({ key }) => key, unlessDenied(undefined)),
      ),
    requestCode: ({ appId, depotId, manifestId, branch }) =>
      ask("a manifest's request code", async (client) => {
        const answer = client.getManifestRequestCode(appId, depotId, manifestId, branch);
        const { requestCode } = await answer.catch(unlessDenied({ requestCode: noCode }));
        // A fixed64, which the library gives as an object or a text; it prints in decimal.
        const code = String(requestCode);
        return code === noCode ? undefined : code;
      }),
    servers: () =>
      ask('the list of content servers', async (client) =>
        (await contentServerList(client)).flatMap((entry) => readServer(entry)),
      ),
    serverToken: (appId, depotId, server) =>
      ask("a content server's token", async (client) => {
        const { token } = await client.getCDNAuthToken(appId, depotId, server);
        return token;
      }),
  };
}

function unlessDenied<T>(denied: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'eresult' in error && error.eresult === resultCodes.accessDenied)
      return denied;
    throw error;
  };
}

/** What the list says of a server: texts, and lists as objects with numbers for names. */
function readServer(entry: Readonly<Record<string, unknown>>): ContentServer[] {
  const { type, host, vhost, https_support, usetokenauth, allowed_app_ids, weighted_load } = entry;
  if (typeof host !== 'string' || !serverTypes.includes(String(type))) return [];
  const isList = typeof allowed_app_ids === 'object' && allowed_app_ids !== null;
  return [
    {
      address: host,
      name: typeof vhost === 'string' && vhost !== '' ? vhost : host,
      isSecure: https_support === 'mandatory',
      demandsToken: String(usetokenauth) === '1',
      ...(isList ? { appIds: Object.values(allowed_app_ids).map(Number) } : {}),
      load: Number(weighted_load) || 0,
    },
  ];
}
