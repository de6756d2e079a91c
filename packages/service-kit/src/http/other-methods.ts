import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import type { HttpServer } from './http-server.ts';
import { pathOf } from './request-log.ts';

export type KnownPaths = ReadonlySet<string>;

/** Watches the routes that are added after it. */
export function watchPaths(server: HttpServer): KnownPaths {
  const paths = new Set<string>();
  server.addHook('onRoute', ({ url }: RouteOptions) => {
    paths.add(url);
  });
  return paths;
}

/** Answers 405 with `Allow` on every known path for every method that it does not have. Called when all routes are there. */
export function refuseOtherMethods(server: HttpServer, knownPaths: KnownPaths): void {
  for (const url of [...knownPaths]) {
    const { has, lacks } = methodsOf(server, url);
    const allow = has.sort().join(', ');
    const refuse = (request: FastifyRequest): never => {
      const detail = `${pathOf(request)} accepts ${allow}, not ${request.method}`;
      throw new Problem('method-not-allowed', detail, {}, { allow });
    };
    // Before a body is read: it would be no more welcome in another form.
    const onRequest = async (request: FastifyRequest) => refuse(request);
    server.route({ url, method: lacks, schema: { hide: true }, onRequest, handler: refuse });
  }
}

function methodsOf(server: HttpServer, url: string): { has: HTTPMethods[]; lacks: HTTPMethods[] } {
  const methods = server.supportedMethods as HTTPMethods[];
  const has = methods.filter((method) => server.hasRoute({ url, method }));
  return { has, lacks: methods.filter((method) => !has.includes(method)) };
}
