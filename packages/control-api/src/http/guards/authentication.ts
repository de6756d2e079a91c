import { bearerToken } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import type { Logger } from '@steward/service-kit/log/logger';
import { type Endpoint, methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest } from 'fastify';
import { anybody, type Caller, type CallerOf, type Keys, may } from '../../keys/caller.ts';
import { clientOf } from './client-address.ts';
import { type AttemptLimit, Attempts, tooMany } from './limits.ts';

const declared = Object.values<Endpoint>(endpoints).filter(({ scope }) => scope === 'public');

/** Reachable without a key; every other path, known or not, asks for one. */
const publicPaths = new Set(declared.map((endpoint) => methodAndPath(endpoint).path));

const publicFolders = declared
  .filter((endpoint) => 'folder' in endpoint)
  .map((endpoint) => `${methodAndPath(endpoint).path}/`);

/** Wrong keys from one address. The right key is let through however many others were tried from there. */
const wrongKeyLimit: AttemptLimit = { attempts: 10, windowMs: 60_000 };

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; where nobody has said so yet, as on a public path, anybody. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    scope?: Endpoint['scope'];
  }
}

/** Every request has a caller, with a key or without. */
export function nameCallers(server: HttpServer): void {
  server.decorateRequest('caller');
  server.addHook('onRequest', (request, _reply, done) => {
    request.caller = anybody;
    done();
  });
}

/** Asks for a key on every path that is not public, but for what says it later. */
export function authenticate(
  server: HttpServer,
  keys: KeyGuard,
  saysItLater: (request: FastifyRequest) => boolean,
): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (isPublic(pathOf(request)) || saysItLater(request)) return done();
    const brought = keys.broughtBy(request.headers.authorization);
    if (typeof brought === 'object') {
      request.caller = brought;
      return done(whyNot(brought, request.routeOptions.config.scope));
    }
    if (brought === 'wrong') return done(keys.refusalOf(clientOf(request.ip), request.headers.authorization));
    const what = 'Send the header Authorization: Bearer <API_KEY>';
    done(new Problem('unauthorized', what, {}, { 'www-authenticate': 'Bearer' }));
  });
}

/** A path that there is not asks for none. */
function whyNot(caller: Caller, needed: Endpoint['scope'] = 'public'): Problem | undefined {
  if (needed === 'public' || may(caller, needed)) return undefined;
  return new Problem(
    'insufficient-scope',
    `This needs a key with the scope ${needed}; the key ${JSON.stringify(caller.name)} has ${[...caller.scopes].join(', ')}`,
    {},
    { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
  );
}

function isPublic(path: string): boolean {
  return publicPaths.has(path) || publicFolders.some((folder) => path.startsWith(folder));
}

/** Whose keys there are, and who had one wrong how often: one count for both doors, requests and `/ws`. */
export class KeyGuard {
  readonly callerOf: CallerOf;
  readonly #keys: Keys;
  readonly #wrong: Attempts;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(keys: Keys, now: () => number, log: Pick<Logger, 'warn'>) {
    this.callerOf = keys.callerOf;
    this.#keys = keys;
    this.#wrong = new Attempts(wrongKeyLimit, now);
    this.#log = log;
  }

  /** Whose key a request's header Authorization brings. */
  broughtBy(authorization: string | undefined): Caller | 'wrong' | 'none' {
    const given = bearerToken(authorization);
    if (given === undefined) return 'none';
    return this.callerOf(given) ?? 'wrong';
  }

  /** Why the key in that header is not let in. A wrong one counts; one of which nobody can tell does not. */
  refusalOf(client: string, authorization: string | undefined): Problem {
    const refusal = this.#keys.refusalOf(bearerToken(authorization) ?? '');
    const waitSeconds = refusal.code === 'unauthorized' ? this.wrong(client) : undefined;
    return waitSeconds === undefined ? refusal : tooMany('wrong keys', waitSeconds);
  }

  /** Counts a wrong key. Beyond the limit it answers for how many seconds there is no use in another. */
  wrong(client: string): number | undefined {
    if (this.#wrong.made(client) === 0)
      this.#log.warn({ client }, `a wrong API key came from ${client}; this is said once a minute`);
    // How many are left is told to nobody: it would help those alone who guess.
    return this.#wrong.count(client).waitSeconds;
  }

  /**
   * For how many seconds a WebSocket is refused, whose key would come only after the upgrade: none may try that has used
   * up its attempts. The header lets the right key in nevertheless.
   */
  refuses(client: string, authorization: string | undefined): number | undefined {
    const waitSeconds = this.#wrong.spent(client);
    if (waitSeconds === undefined) return undefined;
    const brought = this.broughtBy(authorization);
    if (typeof brought === 'object') return undefined;
    return (brought === 'wrong' ? this.wrong(client) : undefined) ?? waitSeconds;
  }
}
