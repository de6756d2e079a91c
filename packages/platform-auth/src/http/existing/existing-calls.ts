import { createHash } from 'node:crypto';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import { troubleText } from '@steward/shared/problems/trouble';
import { gameAppId } from '@steward/shared/sidecar/download';
import {
  type LobbyAnswer,
  type LobbyRequest,
  lobbyMetadata,
  lobbyRequest,
  mostLobbyEntries,
} from '@steward/shared/sidecar/platform';
import { uint64Text } from '@steward/shared/wire-values';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { NoTicket, type TicketAnswer } from '../../tickets/app-tickets.ts';
import type { AppTicketParts, LobbyParts } from '../routes.ts';

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
      'This sidecar gives credentials to nobody; the game needs none, because it gets tickets from /steam/app-ticket',
    );
  });
}

async function ticketOf(parts: AppTicketParts, status: 500 | 503): Promise<TicketAnswer> {
  const login = parts.login();
  if (login === undefined) {
    const kept = parts.keptTicket();
    if (kept !== undefined) return kept;
    throw new ExistingFailure(status, troubleText(parts.sessionStatus()));
  }
  try {
    return await parts.tickets.ticket(login);
  } catch (error) {
    if (error instanceof NoTicket) throw new ExistingFailure(status, error.failure.reason);
    throw error;
  }
}

const lobbyPrefix = '/steam/lobby';

/** The text by which the mod knows that its lobby is gone and that it has to ask for a new one. */
const gone = 'NoMatch';

export interface ModLobbyParts extends LobbyParts {
  /** Told when the mod is given the lobby's id. */
  readonly givenToMod: () => void;
}

/** The lobby as the mod asks for it: by the id that it was given last, and Public whatever it says. */
export function lobbyCalls(scope: HttpServer, { keeper, sessionStatus, givenToMod }: ModLobbyParts): void {
  scope.post(`${lobbyPrefix}/create`, async (request) => {
    const asked = read(createLobby, request);
    const { lobby_id } = await open({
      game_server_id: asked.game_server_steam_id,
      protocol_version: asked.protocol_version,
      max_members: asked.max_members,
    });
    givenToMod();
    return { lobby_id, app_id: gameAppId };
  });

  scope.post(`${lobbyPrefix}/set-data`, async (request) => {
    const { lobby_id, metadata } = read(setLobbyData, request);
    return change('data', lobby_id, { metadata: metadata ?? {} });
  });

  scope.post(`${lobbyPrefix}/set-privacy`, async (request) => {
    const { lobby_id } = read(setLobbyPrivacy, request);
    return change('privacy', lobby_id, {});
  });

  scope.get(`${lobbyPrefix}/status`, async ({ query }) => {
    requireOnlyAccount(query);
    return {
      lobby_id: keeper.answer.lobby_id ?? null,
      is_logged_in: sessionStatus().state === 'logged-in',
    };
  });

  async function change(what: string, lobbyId: string, request: LobbyRequest): Promise<{ success: true }> {
    requireSame(what, lobbyId);
    await open(request);
    // Found dead and made anew on the way: the mod has to learn the new id.
    requireSame(what, lobbyId);
    return { success: true };
  }

  function requireSame(what: string, lobbyId: string): void {
    const { state, lobby_id: current } = keeper.answer;
    // Asked for none yet, we have started since the mod got its id: that lobby ended with the run before, and no other
    // text has the mod ask for a new one.
    if (state === 'none' || (current !== undefined && current !== lobbyId))
      throw new ExistingFailure(500, `Failed to set lobby ${what}: ${gone}`);
  }

  async function open(request: LobbyRequest): Promise<LobbyAnswer> {
    if (!keeper.takes(request))
      throw new ExistingFailure(500, `The lobby's data would have more than ${mostLobbyEntries} entries`);
    const answer = await keeper.put(request);
    if (answer.state === 'open' && answer.reason === undefined) return answer;
    throw new ExistingFailure(500, answer.reason ?? 'The lobby is not open yet');
  }
}

function read<Schema extends z.ZodType>(schema: Schema, { query, body }: FastifyRequest): z.infer<Schema> {
  requireOnlyAccount(query);
  if (body === null) throw new ExistingFailure(400, 'The request has no body');
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ExistingFailure(500, firstIssue(parsed.error));
}

// What the existing server's mod sends, in its own spelling. Members that it may add one day are nobody's business here.

/** Its ids are bare JSON numbers far beyond what a JavaScript number holds; the body's parser kept their digits. */
const bareUint64 = z
  .union([z.int().nonnegative(), z.bigint().nonnegative()])
  .transform(String)
  .pipe(uint64Text);

const createLobby = z.object({
  game_server_steam_id: bareUint64,
  protocol_version: lobbyRequest.shape.protocol_version,
  max_members: lobbyRequest.shape.max_members,
});

const setLobbyData = z.object({
  lobby_id: bareUint64,
  metadata: lobbyMetadata.nullish(),
});

const setLobbyPrivacy = z.object({
  lobby_id: bareUint64,
  privacy: z.string().nullish(),
});

/** The existing sidecar may hold several accounts and numbers them; this one holds one, which is number 0. */
const onlyAccount = 0;

const accountNumber = /^[+-]?[0-9]+$/;

/** Refuses a call that means another account. What is no number means the first, as it does there. */
function requireOnlyAccount(query: unknown): void {
  const given = accountOf(query);
  if (given === undefined || !accountNumber.test(given) || Number(given) === onlyAccount) return;
  throw new ExistingFailure(500, `There is no account ${given}: this sidecar has only account 0`);
}

function accountOf(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('account' in query)) return undefined;
  const { account } = query;
  return typeof account === 'string' ? account.trim() : undefined;
}

/** A failure as the existing server's mod reads it: a status that tells it whether to ask again, and a text. */
export class ExistingFailure extends Error {
  readonly status: 400 | 403 | 500 | 503;

  constructor(status: ExistingFailure['status'], text: string) {
    super(text);
    this.name = 'ExistingFailure';
    this.status = status;
  }
}
