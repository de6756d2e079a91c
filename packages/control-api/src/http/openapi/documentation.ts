import type { HttpServer } from '@steward/service-kit/http/http-server';
import type { RouteOptions } from 'fastify';
import type { DescribedServer } from './described-server.ts';

export const documentPath = '/api-spec/v1/api-spec.json';

/** What describes the routes, loaded and made when it is first asked for. */
export type Documentation = () => Promise<DescribedServer>;

/** Watches the routes that are added after it: those are the ones that are described. */
export function watchForDocumentation(server: HttpServer, version: string): Documentation {
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route: RouteOptions) => {
    // For each GET the framework adds a HEAD, which is not told of.
    if (route.method !== 'HEAD' && route.schema?.hide !== true) routes.push(route);
  });
  let described: Promise<DescribedServer> | undefined;
  return () => {
    described ??= describe(routes, version);
    return described;
  };
}

async function describe(routes: readonly RouteOptions[], version: string): Promise<DescribedServer> {
  const { describedServer } = await import('./described-server.ts');
  return describedServer(routes, version);
}
