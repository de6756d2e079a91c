import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import { lobbyAnswer, lobbyRequest, mostLobbyEntries } from '@steward/shared/sidecar/lobby';
import type { LobbyKeeper } from '../lobby/lobby-keeper.ts';
import { noSession, retryAfter } from './no-session.ts';

/** A game's whole metadata is a few hundred bytes. */
const bodyLimit = 64 * 1024;
const untilLobbySeconds = 5;
const fate = 'What was asked is remembered, and done as soon as it can be';
const tooMany = `metadata would have more than ${mostLobbyEntries} entries, together with what earlier requests set; nothing of this one is remembered`;

export interface LobbyParts {
  readonly keeper: LobbyKeeper;
  readonly sessionStatus: () => SessionStatus;
  readonly now: () => Date;
}

/** The lobby on the primary platform. What it shall be is remembered, also where it cannot be done at once. */
export function lobbyRoutes(server: HttpServer, { keeper, sessionStatus, now }: LobbyParts): void {
  const response = { 200: lobbyAnswer };
  server.get('/platform/lobby', { schema: { response } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return keeper.answer;
  });
  server.put(
    '/platform/lobby',
    { bodyLimit, schema: { body: lobbyRequest, response } },
    async ({ body }, reply) => {
      reply.header('cache-control', 'no-store');
      if (!keeper.takes(body)) throw new Problem('malformed-request', tooMany);
      const answer = await keeper.put(body);
      if (answer.state === 'open' && answer.reason === undefined) return answer;
      const status = sessionStatus();
      if (status.state !== 'logged-in') throw noSession(reply, status, now(), fate);
      retryAfter(reply, untilLobbySeconds);
      const reason = answer.reason ?? 'The lobby is not there yet';
      throw new Problem('platform-unavailable', `${reason}. ${fate}`, {
        state: status.state,
        reason,
        retry: true,
      });
    },
  );
}
