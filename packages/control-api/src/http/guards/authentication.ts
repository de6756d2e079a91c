import { bearerToken } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import type { Logger } from '@steward/service-kit/log/logger';
import { type Endpoint, isWrite, methodAndPath, type Parameters } from '@steward/shared/api/endpoint';
import { type EndpointId, endpoints } from '@steward/shared/api/endpoints';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest } from 'fastify';
import type { Refusals, Refused } from '../../audit/refusals.ts';
import { anybody, type Caller, insufficient, type Keys, may } from '../../keys/caller.ts';
import { whoAsks } from '../endpoints/recorded-write.ts';
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
    action?: EndpointId;
    /** Of the query: one of them may ask for more than the endpoint does. */
    parameters?: Parameters | undefined;
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
      const why = whyNot(brought, request);
      const { action } = request.routeOptions.config;
      if (why !== undefined && action !== undefined) keys.denied(action, whoAsks(request));
      return done(why);
    }
    if (brought === 'wrong')
      return done(keys.refusalOf(clientOf(request.ip), bearerToken(request.headers.authorization)));
    const what = 'Send the header Authorization: Bearer <API_KEY>';
    done(new Problem('unauthorized', what, {}, { 'www-authenticate': 'Bearer' }));
  });
  // A body that takes its time to come could outlast the key.
  const ended = new WeakSet<Caller>();
  const forget = keys.onEnded((caller) => ended.add(caller));
  server.addHook('onClose', async () => forget());
  server.addHook('preValidation', (request, _reply, done) => {
    if (!ended.has(request.caller)) return done();
    done(keys.refusalOf(clientOf(request.ip), bearerToken(request.headers.authorization)));
  });
}

/** A path that there is not asks for nothing. */
function whyNot(
  caller: Caller,
  { routeOptions, query }: Pick<FastifyRequest, 'routeOptions' | 'query'>,
): Problem | undefined {
  const { scope = 'public', parameters = {} } = routeOptions.config;
  if (scope !== 'public' && !may(caller, scope)) return insufficient('This', caller, scope);
  for (const [name, { scope: needed }] of Object.entries(parameters))
    if (needed !== undefined && Object.hasOwn(query as object, name) && !may(caller, needed))
      return insufficient(name, caller, needed);
  return undefined;
}

function isPublic(path: string): boolean {
  return publicPaths.has(path) || publicFolders.some((folder) => path.startsWith(folder));
}

type KeyRefusals = Pick<Refusals, 'wrongKey' | 'came'>;

/** Whose keys there are, and who had one wrong how often: one count for both doors, requests and `/ws`. */
export class KeyGuard implements Pick<Keys, 'callerOf' | 'onEnded'> {
  readonly #keys: Keys;
  readonly #wrong: Attempts;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #refusals: KeyRefusals;

  constructor(keys: Keys, now: () => number, log: Pick<Logger, 'warn'>, refusals: KeyRefusals) {
    this.#keys = keys;
    this.#wrong = new Attempts(wrongKeyLimit, now);
    this.#log = log;
    this.#refusals = refusals;
  }

  callerOf(key: string): Caller | undefined {
    return this.#keys.callerOf(key);
  }

  onEnded(listener: (ended: Caller) => void): () => void {
    return this.#keys.onEnded(listener);
  }

  /** Whose key a request's header Authorization brings. */
  broughtBy(authorization: string | undefined): Caller | 'wrong' | 'none' {
    const given = bearerToken(authorization);
    if (given === undefined) return 'none';
    return this.callerOf(given) ?? 'wrong';
  }

  /**
   * Why a key that is nobody's is not let in. A wrong one counts; one of which nobody can tell does not, nor one that has ended: who
   * brings it guesses nothing, and may go on for as long as nobody looks, at an address that others have, too.
   */
  refusalOf(client: string, key = ''): Problem {
    const refusal = this.#keys.refusalOf(key);
    if (refusal.code === 'key-ended') this.#refusals.wrongKey(client);
    const waitSeconds = refusal.code === 'unauthorized' ? this.#countWrong(client) : undefined;
    return waitSeconds === undefined ? refusal : tooMany('wrong keys', waitSeconds);
  }

  /** Counts a wrong key. Beyond the limit it answers for how many seconds there is no use in another. */
  #countWrong(client: string): number | undefined {
    if (this.#wrong.made(client) === 0)
      this.#log.warn({ client }, `a wrong API key came from ${client}; this is logged once a minute`);
    this.#refusals.wrongKey(client);
    // How many are left is told to nobody: it would help those alone who guess.
    return this.#wrong.count(client).waitSeconds;
  }

  /** A key was brought that is not good for this. */
  denied(action: EndpointId, who: Omit<Refused, 'action' | 'says'>): void {
    const endpoint: Endpoint = endpoints[action];
    const says = isWrite(endpoint) ? endpoint.audit : endpoint.summary;
    this.#refusals.came({ ...who, action, says });
  }

  /**
   * For how many seconds a WebSocket is refused, whose key would come only after the upgrade: none may try that has used
   * up its attempts. The header lets the right key in nevertheless; a wrong one in it is an attempt, too.
   */
  refuses(client: string, authorization: string | undefined): number | undefined {
    const brought = this.broughtBy(authorization);
    if (typeof brought === 'object') return undefined;
    const waitSeconds = this.#wrong.spent(client);
    if (brought === 'wrong') this.refusalOf(client, bearerToken(authorization));
    return waitSeconds;
  }
}
