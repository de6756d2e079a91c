import { BlockList, isIPv4 } from 'node:net';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import { parseExact } from '@steward/service-kit/json';
import { Problem } from '@steward/shared/problems/problem';
import { sidecarHealth } from '@steward/shared/sidecar/health';
import { uint64Text } from '@steward/shared/wire-values';
import { z } from 'zod';
import type { Login } from '../../session/login.ts';
import { type AppTicketParts, type HealthParts, healthOf } from '../routes.ts';
import { ExistingFailure, lobbyCalls, type ModLobbyParts, ticketCalls } from './existing-calls.ts';

/** Below this stand the paths of the existing sidecar that ours does not have. */
export const existingPrefix = '/steam/';

type ExistingParts = AppTicketParts & ModLobbyParts;

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
  // No mod is refused as a browser is, and a browser that asks again is refused again.
  if (error instanceof Problem && error.code === 'cross-site-request')
    return { status: error.status, message: error.message };
  // The mod knows 500 as "not now, ask again", and every refusal of its own sidecar is one.
  if (error instanceof Problem) return { status: 500, message: error.message };
  if (error instanceof Error && 'validation' in error) return { status: 500, message: error.message };
  // What the framework refuses before any route sees it: a body of another type, or one that is too long.
  if (isRefusedByFramework(error)) return { status: error.statusCode, message: error.message };
  return { status: 500, message: 'An error in the sidecar; its log says more' };
}

function isRefusedByFramework(error: unknown): error is Error & { statusCode: number } {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
}

/** What the mod and its diagnostics look for beside our own fields. The id is, like a ticket, for private networks alone. */
const existingHealth = sidecarHealth.extend({
  accounts: z.array(z.object({ index: z.int(), logged_in: z.boolean(), steam_id: uint64Text.optional() })),
});

interface ExistingHealthParts extends HealthParts {
  readonly login: () => Login | undefined;
}

/** `GET /health` as both know it; which account is asked for makes no difference where there is one. */
export function existingHealthRoute(server: HttpServer, parts: ExistingHealthParts): void {
  server.get('/health', { schema: { response: { 200: existingHealth } } }, async (request) => {
    const health = healthOf(parts);
    const steamId = isPrivate(request.socket.remoteAddress) ? parts.login()?.session.platformId : undefined;
    const account = {
      index: 0,
      logged_in: health.logged_in,
      ...(steamId === undefined ? {} : { steam_id: steamId }),
    };
    return { ...health, accounts: health.session.state === 'no-account' ? [] : [account] };
  });
}

/** Addresses that no packet from the internet carries: this machine's, a container network's, a house's. */
const networks: readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
];

const privateAddresses = new BlockList();
for (const network of networks) privateAddresses.addSubnet(...network);

const mappedPrefix = '::ffff:';

/** Whether a connection comes from a private network. An IPv4 address counts as itself also where IPv6 carries it. */
export function isPrivate(address: string | undefined): boolean {
  if (address === undefined) return false;
  const [bare = ''] = address.toLowerCase().split('%');
  const mapped = bare.startsWith(mappedPrefix) ? bare.slice(mappedPrefix.length) : bare;
  if (isIPv4(mapped)) return privateAddresses.check(mapped, 'ipv4');
  return privateAddresses.check(bare, 'ipv6');
}
