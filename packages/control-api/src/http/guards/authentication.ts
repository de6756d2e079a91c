import { bearerToken } from '@steward/service-kit/http/bearer';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import type { Logger } from '@steward/service-kit/log/logger';
import { type Endpoint, methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest } from 'fastify';
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

/** Asks for the key on every path that is not public, but for what says it later. */
export function authenticate(
  server: HttpServer,
  keys: KeyGuard,
  saysItLater: (request: FastifyRequest) => boolean,
): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (isPublic(pathOf(request)) || saysItLater(request)) return done();
    const key = keys.broughtBy(request.headers.authorization);
    if (key === 'right') return done();
    if (key === 'wrong') {
      const waitSeconds = keys.wrong(clientOf(request.ip));
      if (waitSeconds !== undefined) return done(tooMany('wrong keys', waitSeconds));
    }
    const what = key === 'none' ? 'Send the header Authorization: Bearer <API_KEY>' : 'The API key is wrong';
    done(new Problem('unauthorized', what, {}, { 'www-authenticate': 'Bearer' }));
  });
}

function isPublic(path: string): boolean {
  return publicPaths.has(path) || publicFolders.some((folder) => path.startsWith(folder));
}

/** The key, and who had it wrong how often: one count for both doors, requests and `/ws`. */
export class KeyGuard {
  readonly isKey: (given: string) => boolean;
  readonly #wrong: Attempts;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(isKey: (given: string) => boolean, now: () => number, log: Pick<Logger, 'warn'>) {
    this.isKey = isKey;
    this.#wrong = new Attempts(wrongKeyLimit, now);
    this.#log = log;
  }

  /** Which key a request's header Authorization brings. */
  broughtBy(authorization: string | undefined): 'right' | 'wrong' | 'none' {
    const given = bearerToken(authorization);
    if (given === undefined) return 'none';
    return this.isKey(given) ? 'right' : 'wrong';
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
    const key = this.broughtBy(authorization);
    if (key === 'right') return undefined;
    return (key === 'wrong' ? this.wrong(client) : undefined) ?? waitSeconds;
  }
}
