import type { HttpServer } from '@steward/service-kit/http/http-server';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import { type LobbyAnswer, type LobbyRequest, mostLobbyEntries } from '@steward/shared/sidecar/lobby';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { LobbyParts } from '../http/lobby.ts';
import { gameAppId } from '../platform/game-app.ts';
import { requireOnlyAccount } from './account-number.ts';
import { ExistingFailure } from './existing-failure.ts';
import { createLobby, setLobbyData, setLobbyPrivacy } from './wire.ts';

const prefix = '/steam/lobby';

/** The text by which the mod knows that its lobby is gone and that it has to ask for a new one. */
const gone = 'NoMatch';

/** The lobby as the mod asks for it: by the id that it was given last, and Public whatever it says. */
export function lobbyCalls(scope: HttpServer, { keeper, sessionStatus }: LobbyParts): void {
  scope.post(`${prefix}/create`, async (request) => {
    const asked = read(createLobby, request);
    const { lobby_id } = await open({
      game_server_id: asked.game_server_steam_id,
      protocol_version: asked.protocol_version,
      max_members: asked.max_members,
    });
    return { lobby_id, app_id: gameAppId };
  });

  scope.post(`${prefix}/set-data`, async (request) => {
    const { lobby_id, metadata } = read(setLobbyData, request);
    return change('data', lobby_id, { metadata: metadata ?? {} });
  });

  scope.post(`${prefix}/set-privacy`, async (request) => {
    const { lobby_id } = read(setLobbyPrivacy, request);
    return change('privacy', lobby_id, {});
  });

  scope.get(`${prefix}/status`, async ({ query }) => {
    requireOnlyAccount(query);
    return {
      lobby_id: keeper.answer.lobby_id ?? null,
      is_logged_in: sessionStatus().state === 'logged-in',
    };
  });

  async function change(what: string, lobbyId: string, request: LobbyRequest): Promise<{ success: true }> {
    if (keeper.answer.state === 'none') throw new ExistingFailure(500, 'No lobby created yet');
    requireSame(what, lobbyId);
    await open(request);
    // Found dead and made anew on the way: the mod has to learn the new id.
    requireSame(what, lobbyId);
    return { success: true };
  }

  function requireSame(what: string, lobbyId: string): void {
    const { lobby_id: current } = keeper.answer;
    if (current !== undefined && current !== lobbyId)
      throw new ExistingFailure(500, `Failed to set lobby ${what}: ${gone}`);
  }

  async function open(request: LobbyRequest): Promise<LobbyAnswer> {
    if (!keeper.takes(request))
      throw new ExistingFailure(500, `The lobby's data would have more than ${mostLobbyEntries} entries`);
    const answer = await keeper.put(request);
    if (answer.state === 'open' && answer.reason === undefined) return answer;
    throw new ExistingFailure(500, answer.reason ?? 'The lobby is not there yet');
  }
}

function read<Schema extends z.ZodType>(schema: Schema, { query, body }: FastifyRequest): z.infer<Schema> {
  requireOnlyAccount(query);
  if (body === null) throw new ExistingFailure(400, 'The request has no body');
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ExistingFailure(500, firstIssue(parsed.error));
}
