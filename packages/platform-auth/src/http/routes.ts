import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import { troubleText } from '@steward/shared/problems/trouble';
import { type DownloadAnswer, downloadAnswer, type GameUpdate } from '@steward/shared/sidecar/download';
import {
  type Contention,
  type SessionStatus,
  type SidecarHealth,
  sidecarHealth,
} from '@steward/shared/sidecar/health';
import {
  appTicketAnswer,
  lobbyAnswer,
  lobbyRequest,
  mostLobbyEntries,
} from '@steward/shared/sidecar/platform';
import { timestampOf } from '@steward/shared/wire-values';
import type { FastifyReply } from 'fastify';
import type { LobbyKeeper } from '../lobby/lobby-keeper.ts';
import type { Login } from '../session/login.ts';
import { type AppTickets, NoTicket, notOwned, type TicketAnswer } from '../tickets/app-tickets.ts';

/** Liveness: 200 whenever the process can answer. What is wrong with the session stands in the body. */
export function healthRoute(server: HttpServer, parts: HealthParts): void {
  server.get('/health', { schema: { response: { 200: sidecarHealth } } }, async () => healthOf(parts));
}

export interface HealthParts {
  readonly sessionStatus: () => SessionStatus;
  readonly contended: () => Contention | undefined;
  /** As it is known without a look at the disk, which may hang. */
  readonly gameUpdate: () => GameUpdate | undefined;
  readonly now: () => Date;
}

export function healthOf({ sessionStatus, contended, gameUpdate, now }: HealthParts): SidecarHealth {
  const session = sessionStatus();
  const contention = contended();
  const update = gameUpdate();
  return {
    status: 'ok',
    logged_in: session.state === 'logged-in',
    timestamp: timestampOf(now()),
    session,
    ...(contention === undefined ? {} : { contended: contention }),
    ...(update === undefined ? {} : { game_update: update }),
  };
}

export interface AppTicketParts {
  readonly login: () => Login | undefined;
  /** The ticket that is good still while there is no session. */
  readonly keptTicket: () => TicketAnswer | undefined;
  readonly sessionStatus: () => SessionStatus;
  readonly tickets: AppTickets;
  readonly now: () => Date;
}

/** The one thing that leaves this service for the game: a proof of identity that nobody can log in with. */
export function appTicketRoute(server: HttpServer, parts: AppTicketParts): void {
  const schema = { response: { 200: appTicketAnswer } };
  server.get('/platform/app-ticket', { schema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const login = parts.login();
    try {
      const given = login === undefined ? parts.keptTicket() : await parts.tickets.ticket(login);
      if (given === undefined) throw noSession(reply, parts.sessionStatus(), parts.now());
      return { app_ticket: given.ticket.toString('base64'), platform_id: given.platformId };
    } catch (error) {
      if (!(error instanceof NoTicket)) throw error;
      retryAfter(reply, error.retryAfterMs / secondMs);
      throw ticketProblem(error);
    }
  });
}

function ticketProblem({ isNotOwned, failure: { reason } }: NoTicket): Problem {
  if (!isNotOwned)
    return new Problem('platform-unavailable', reason, { state: 'logged-in', reason, retry: true });
  return new Problem('not-owned', troubleText(notOwned), { ...notOwned });
}

/** A game's whole metadata is a few hundred bytes. */
const bodyLimit = 64 * 1024;
const untilLobbySeconds = 5;
const fate = 'The request is remembered, and carried out as soon as possible';
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
      const reason = answer.reason ?? 'The lobby is not open yet';
      throw new Problem('platform-unavailable', `${reason}. ${fate}`, {
        state: status.state,
        reason,
        retry: true,
      });
    },
  );
}

export interface DownloadRouteParts {
  readonly answer: () => Promise<DownloadAnswer>;
  readonly look: () => Promise<void>;
  readonly publish: (signal: AbortSignal) => Promise<void>;
}

/** How the game's files are, and how far their download is; a newer build beside them, and in their place. */
export function downloadRoutes(server: HttpServer, { answer, look, publish }: DownloadRouteParts): void {
  server.get('/download', { schema: { response: { 200: downloadAnswer } } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return answer();
  });
  server.post('/download', { schema: { response: { 202: downloadAnswer } } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store').code(202);
    await look();
    return answer();
  });
  const response = { 200: downloadAnswer };
  server.post('/download/publish', { schema: { response } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const gone = new AbortController();
    // Whoever has stopped the game for it may start it again once the answer cannot reach it any more.
    reply.raw.once('close', () => gone.abort());
    await publish(gone.signal);
    return answer();
  });
}

/** A state that only an operator ends may still end any moment; asking more often than this finds nothing. */
const untilNewsSeconds = 15;
const untilLoggedInSeconds = 2;
const secondMs = 1_000;

/** Answers that there is no platform session, with why, what becomes of the request, what mends it, and when to ask again. */
function noSession(reply: FastifyReply, status: SessionStatus, now: Date, fate?: string): Problem {
  const { state, reason, remedy, next_retry } = status;
  retryAfter(reply, secondsUntilRetry(status, now));
  const detail = [reason, fate, remedy].filter((text) => text !== undefined).join('. ');
  return new Problem('platform-unavailable', detail, { state, reason, remedy, next_retry, retry: true });
}

function retryAfter(reply: FastifyReply, seconds: number): void {
  reply.header('retry-after', String(Math.max(1, Math.ceil(seconds))));
}

function secondsUntilRetry({ state, next_retry }: SessionStatus, now: Date): number {
  if (next_retry !== undefined) return (Date.parse(next_retry) - now.getTime()) / secondMs;
  return state === 'logging-in' || state === 'logged-in' ? untilLoggedInSeconds : untilNewsSeconds;
}
