import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import { parseExact } from '@steward/shared/json/exact';
import { Problem } from '@steward/shared/problems/problem';
import type { AppTicketParts } from '../http/app-ticket.ts';
import type { LobbyParts } from '../http/lobby.ts';
import { ExistingFailure } from './existing-failure.ts';
import { lobbyCalls } from './lobby-calls.ts';
import { isPrivate } from './private-network.ts';
import { ticketCalls } from './ticket-calls.ts';

/** Below this stand the paths of the existing sidecar that ours does not have. */
export const existingPrefix = '/steam/';

export type ExistingParts = AppTicketParts & LobbyParts;

/**
 * Answers the existing server's mod as its own sidecar does. The mod cannot send our secret, so what guards these paths is
 * that nobody beyond a private network gets an answer.
 */
export function existingRoutes(server: HttpServer, parts: ExistingParts): void {
  server.register(async (scope: HttpServer) => {
    scope.addHook('onRequest', async (request) => {
      if (!isPrivate(request.socket.remoteAddress))
        throw new ExistingFailure(403, 'These paths answer callers on a private network only');
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
      readBody(String(body), done);
    });
    scope.setErrorHandler((error, request, reply) => {
      const { status, message } = failureOf(error);
      if (status >= 500) request.log.warn({ path: pathOf(request), reason: message }, 'the mod was refused');
      return reply.code(status).header('cache-control', 'no-store').send({ error: message });
    });
    ticketCalls(scope, parts);
    lobbyCalls(scope, parts);
  });
}

function readBody(text: string, done: (error: Error | null, body?: unknown) => void): void {
  try {
    done(null, parseExact(text));
  } catch {
    done(new ExistingFailure(500, 'The body is not JSON'));
  }
}

function failureOf(error: unknown): { status: number; message: string } {
  if (error instanceof ExistingFailure) return error;
  // The mod knows 500 as "not now, ask again", and every refusal of its own sidecar is one.
  if (error instanceof Problem) return { status: 500, message: error.message };
  if (error instanceof Error && 'validation' in error) return { status: 500, message: error.message };
  // What the framework refuses before any route sees it: a body of another type, or one that is too long.
  if (isRefusedByFramework(error)) return { status: error.statusCode, message: error.message };
  return { status: 500, message: 'The sidecar made a mistake; its log says more' };
}

function isRefusedByFramework(error: unknown): error is Error & { statusCode: number } {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
}
