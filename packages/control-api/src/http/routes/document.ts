import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PreparedAnswer, sendPrepared } from '../bodies/prepared-answer.ts';
import { docsPath } from '../openapi/docs-path.ts';
import { type Documentation, documentPath } from '../openapi/documentation.ts';

/** What only the server that has the connection can say of it. */
const own = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/** The OpenAPI document and the page that shows it. */
export function documentRoutes(server: HttpServer, documentation: Documentation): void {
  let document: PreparedAnswer | undefined;
  server.get(documentPath, { schema: { hide: true } }, async (request, reply) => {
    document ??= new PreparedAnswer((await documentation()).swagger());
    sendPrepared(request, reply, document);
    return reply;
  });
  for (const url of [docsPath, `${docsPath}/*`]) {
    server.get(url, { schema: { hide: true } }, (request, reply) => sendPage(documentation, request, reply));
  }
}

async function sendPage(
  documentation: Documentation,
  { url, headers }: Pick<FastifyRequest, 'url' | 'headers'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Of `..` the page's own server would make a way to the routes that it only describes.
  if (!isOfThePage(url)) {
    reply.callNotFound();
    return reply;
  }
  const described = await documentation();
  // Of what a GET brings, the framework makes the answer to a HEAD.
  const page = await described.inject({ method: 'GET', url, headers });
  if (page.statusCode === 404) {
    reply.callNotFound();
    return reply;
  }
  if (page.statusCode >= 500) throw new Error(`the docs page failed: ${page.body}`);
  if (page.statusCode >= 400) throw new Problem('malformed-request', 'The page has no such part of itself');
  reply.code(page.statusCode);
  for (const [name, value] of Object.entries(page.headers))
    if (value !== undefined && !own.has(name)) reply.header(name, value);
  return page.rawPayload.length === 0 ? reply.send() : reply.send(page.rawPayload);
}

function isOfThePage(url: string): boolean {
  const { pathname } = new URL(url, 'http://here');
  return pathname === docsPath || pathname.startsWith(`${docsPath}/`);
}
