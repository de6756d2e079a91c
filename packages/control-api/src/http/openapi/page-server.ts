import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { noCompilers } from '@steward/service-kit/http/http-server';
import fastify from 'fastify';
import { docsPage } from './docs-page.ts';

export type PageServer = Awaited<ReturnType<typeof pageServer>>;

/** The page's own copies of the document: it would write them anew for whoever asks, in YAML for half a second. */
const copies = ['json', 'yaml'].map((name) => `${docsPage.routePrefix}/${name}`);

const noDocument = { openapi: '3.1.0', info: { title: 'None', version: '0' }, paths: {} };

/** A server that never listens: it has the page that shows the document, and no document. */
export async function pageServer() {
  const server = fastify({ logger: false, schemaController: noCompilers });
  server.addHook('onRequest', async ({ routeOptions: { url = '' } }, reply) => {
    if (copies.includes(url)) reply.callNotFound();
  });
  // The page's plugin does not load without this one.
  await server.register(swagger, { mode: 'static', specification: { document: noDocument } });
  await server.register(swaggerUi, docsPage);
  await server.ready();
  return server;
}
