import type { HttpServer } from '@steward/service-kit/http/http-server';
import type { Registry } from 'prom-client';

export function metricsRoute(server: HttpServer, registry: Registry): void {
  server.get('/metrics', async (_request, reply) => {
    const page = await registry.metrics();
    return reply.type(registry.contentType).header('cache-control', 'no-store').send(page);
  });
}
