import { methodAndPath } from '@steward/shared/api/endpoint';
import { documentEndpoints } from '@steward/shared/api/endpoints/documents';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPrepared } from '../bodies/prepared-answer.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { Documentation } from '../openapi/documentation.ts';

/** What only the server that has the connection can say of it. */
const ofTheConnection = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

const { path: docsPath } = methodAndPath(documentEndpoints.getDocsPage);

/** The OpenAPI document and the page that shows it. */
export function documentHandlers(
  documentation: Documentation,
): Pick<Handlers, 'getDocument' | 'getDocsPage'> {
  return {
    getDocument: { handler: (request, reply) => sendDocument(documentation, request, reply) },
    getDocsPage: {
      handler: (request, reply) => {
        const send = pathOf(request) === `${docsPath}/json` ? sendDocument : sendPage;
        return send(documentation, request, reply);
      },
    },
  };
}

async function sendDocument(
  documentation: Documentation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  sendPrepared(request, reply, await documentation.document());
  return reply;
}

async function sendPage(
  documentation: Documentation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Of `..` the page's own server would make a way to the routes that it only describes.
  if (!isOfThePage(pathOf(request))) {
    reply.callNotFound();
    return reply;
  }
  const server = await documentation.page();
  const { url, headers } = request;
  // Of what a GET brings, the framework makes the answer to a HEAD.
  const page = await server.inject({ method: 'GET', url, headers });
  if (page.statusCode === 404) {
    reply.callNotFound();
    return reply;
  }
  if (page.statusCode >= 500) throw new Error(`the docs page failed: ${page.body}`);
  if (page.statusCode >= 400) throw new Problem('malformed-request', 'The page has no such file');
  reply.code(page.statusCode);
  for (const [name, value] of Object.entries(page.headers))
    if (value !== undefined && !ofTheConnection.has(name)) reply.header(name, value);
  return page.rawPayload.length === 0 ? reply.send() : reply.send(page.rawPayload);
}

function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return new URL(url, 'http://here').pathname;
}

function isOfThePage(path: string): boolean {
  return path === docsPath || path.startsWith(`${docsPath}/`);
}
