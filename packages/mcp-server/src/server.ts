import {
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { type Farm, StewardError } from '@steward/client';
import { isGoodFor } from '@steward/shared/scopes';
import { type Compacting, compact } from './answers/compact.ts';
import { playerTextWarning, seenText } from './answers/player-text.ts';
import type { Access } from './farm/access.ts';
import { type Happenings, type ResourceUri, resourceUris } from './farm/happenings.ts';
import { listed } from './tools/arguments.ts';
import type { Caller } from './tools/calling.ts';
import { type Offer, toolsOf } from './tools/offered.ts';

const instructions = `Steward runs a co-op farm game server for people. Ids are text: send them back unchanged. Destructive tools need the farm's name to confirm; ask the user first. ${playerTextWarning}`;

const resources = [
  {
    uri: resourceUris.status,
    name: 'status',
    description: 'The state of the farm, as from get_status',
    mimeType: 'application/json',
    heard: 'read',
  },
  {
    uri: resourceUris.events,
    name: 'events',
    description: `The latest events, up to ${listed.most}`,
    mimeType: 'application/json',
    heard: ['read', 'chat'],
  },
] as const;

interface Parts {
  readonly version: string;
  readonly farm: Pick<Farm, 'getStatus'>;
  readonly access: Access;
  readonly happenings: Pick<Happenings, 'told'>;
  readonly caller: Caller;
  readonly offer: Offer;
  readonly log: (text: string) => void;
}

interface Connection {
  readonly server: Server;
  readonly era: McpRequestContext['era'];
  /** Of a client of the older era; the newer one's are the SDK's to keep. */
  readonly subscribed: Set<string>;
}

/** What speaks the protocol: one of it for each connection, and for each question what this server is. */
export class Servers {
  readonly #parts: Parts;
  readonly #connections = new Set<Connection>();

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.access.onChange(() => this.#tellAll(({ server }) => server.sendToolListChanged()));
  }

  readonly make = ({ era }: McpRequestContext): Server => {
    const { version } = this.#parts;
    const server = new Server(
      { name: 'steward', title: 'Steward', version },
      { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } }, instructions },
    );
    const connection: Connection = { server, era, subscribed: new Set() };
    this.#answer(connection);
    this.#connections.add(connection);
    server.onclose = () => this.#connections.delete(connection);
    return server;
  };

  updated(uri: ResourceUri): void {
    this.#tellAll(async ({ server, era, subscribed }) => {
      if (era === 'modern' || subscribed.has(uri)) await server.sendResourceUpdated({ uri });
    });
  }

  #tellAll(tell: (connection: Connection) => Promise<void>): void {
    for (const connection of this.#connections)
      tell(connection).catch((error: unknown) =>
        this.#parts.log(`a host did not get a notification: ${error}`),
      );
  }

  #answer({ server, era, subscribed }: Connection): void {
    const { access, offer, caller } = this.#parts;
    server.setRequestHandler('tools/list', async () => {
      await access.refresh();
      return { tools: toolsOf(offer, access.granted) };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const result = await caller.call(params.name, params.arguments ?? {}, mcpReq.signal);
      if (result !== undefined) return result;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool');
    });
    server.setRequestHandler('resources/list', async () => {
      await access.refresh();
      const { granted } = access;
      return {
        resources: resources
          .filter(({ heard }) => granted === undefined || isGoodFor(granted, heard))
          .map(({ heard: _heard, ...resource }) => resource),
      };
    });
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
      const answer = await this.#read(known(uri), mcpReq.signal);
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(answer) }] };
    });
    if (era === 'modern') return;
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      subscribed.add(known(uri));
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri);
      return {};
    });
  }

  async #read(uri: ResourceUri, signal: AbortSignal): Promise<object> {
    const { farm, access, happenings, offer } = this.#parts;
    const how: Compacting = { showsPlayerText: offer.showsPlayerText, mostListed: listed.most };
    if (uri === resourceUris.events) return compact(happenings.told, how);
    try {
      await access.refresh();
      if (access.trouble !== undefined) throw access.trouble;
      return compact(await farm.getStatus({}, { signal }), how);
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, seenText(error.detail));
    }
  }
}

function known(uri: string): ResourceUri {
  const found = resources.find((one) => one.uri === uri);
  if (found !== undefined) return found.uri;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no such resource; the resources are ${Object.values(resourceUris).join(' and ')}`,
  );
}
