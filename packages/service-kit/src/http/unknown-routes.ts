import { Problem } from '@steward/shared/problems/problem';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { pathOf } from './request-log.ts';
import { unknownMethod } from './strange-requests.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What a path takes, by whichever method a request asks; nothing where no route is. */
    methodsAt(path: string): readonly string[];
  }
}

type Server = Pick<
  FastifyInstance,
  'addHook' | 'decorate' | 'methodsAt' | 'setNotFoundHandler' | 'supportedMethods'
>;

/** Under which every path is looked up, whatever it takes. */
const anyMethod: HTTPMethod = 'GET';

/**
 * Refuses what no route takes: 404, on a known path 405 with `Allow`, and 501 for a method that nobody here knows. Called before there
 * are routes. `guide` says where to look for what there is.
 */
export function refuseUnknownRoutes(server: Server, guide?: string): void {
  knowMethods(server);
  const known = new Set(server.supportedMethods);
  // After all guards, and before a body is looked at: it would be no more welcome in another form.
  server.addHook('preParsing', (request, _reply, _payload, done) => {
    if (!request.is404) return done();
    const { method } = request;
    if (!known.has(method)) return done(unknownMethod(method));
    const path = pathOf(request);
    const allow = server.methodsAt(path).join(', ');
    if (allow === '') return done(nothingAt(path));
    done(new Problem('method-not-allowed', `${path} accepts ${allow}, not ${method}`, {}, { allow }));
  });
  // A route may itself have nothing to show.
  server.setNotFoundHandler((request: FastifyRequest) => {
    throw nothingAt(pathOf(request));
  });

  function nothingAt(path: string): Problem {
    const nothing = `There is nothing at ${path}`;
    return new Problem('not-found', guide ? `${nothing}: ${guide}` : nothing);
  }
}

/**
 * The framework keeps its routes by method. A route for each method that a path lacks took 3 MB and a part in fifteen of a start; so its
 * router is asked once more, by path alone, when a request comes that no route takes.
 */
function knowMethods(server: Pick<Server, 'addHook' | 'decorate'>): void {
  const methods = new Map<string, Set<string>>();
  let paths: ReturnType<typeof findMyWay> | undefined;
  server.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const taken = methods.get(url) ?? new Set();
    for (const one of [method].flat()) taken.add(one);
    methods.set(url, taken);
  });
  server.decorate('methodsAt', (path) => {
    if (paths === undefined) {
      paths = findMyWay();
      for (const [url, taken] of methods) paths.on(anyMethod, url, () => undefined, taken);
    }
    const found: ReadonlySet<string> = paths.find(anyMethod, path)?.store ?? new Set();
    return [...found].sort();
  });
}
