import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import { methodAndPath } from '@steward/shared/api/endpoint';
import { documentEndpoints } from '@steward/shared/api/endpoints/documents';
import { exactAnswers } from './exact-answers.ts';
import { exactDocument } from './exact-document.ts';

/** What the page itself brings; in the browser, where this runs. */
declare const SwaggerUIBundle: { plugins: { DownloadUrl: (system: unknown) => object } };

/**
 * `/docs`: the interactive page. Its assets come from this server alone, so it works without the internet, and every
 * address in it is relative, so it works below whatever path a proxy puts the server.
 */
export const docsPage: FastifySwaggerUiOptions = {
  routePrefix: methodAndPath(documentEndpoints.getDocsPage).path,
  // What `/docs` without a slash at its end puts before `docs/static/…`.
  indexPrefix: '.',
  // The page reads its document at `docs/json`; the API is one level up from there.
  transformSpecification: (document) => ({
    ...document,
    servers: [{ url: '..', description: 'this server' }],
  }),
  transformSpecificationClone: false,
  theme: { title: 'Steward control API' },
  uiConfig: {
    layout: 'BaseLayout',
    // The first is the page's own, which any list here takes the place of.
    plugins: [(system: unknown) => SwaggerUIBundle.plugins.DownloadUrl(system), exactAnswers, exactDocument],
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
};
