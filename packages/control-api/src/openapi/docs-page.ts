import swaggerUi from '@fastify/swagger-ui';
import type { HttpServer } from '@steward/service-kit/http/http-server';

/** `/docs`: the interactive page. Its assets come from this server alone, so it works without the internet. */
export async function serveDocsPage(server: HttpServer): Promise<void> {
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Steward control API' },
    uiConfig: {
      layout: 'BaseLayout',
      displayOperationId: true,
      persistAuthorization: true,
      tryItOutEnabled: true,
    },
    staticCSP: {
      'default-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'style-src': ["'self'", "'unsafe-inline'"],
      'object-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  });
}
