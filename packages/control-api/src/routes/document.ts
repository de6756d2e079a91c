import type { HttpServer } from '@steward/service-kit/http/http-server';
import { preparedFrom, sendPrepared } from '../answers/prepared-answer.ts';
import { documentPath } from '../openapi/document.ts';

/** The OpenAPI document, made when it is first asked for. */
export function documentRoute(server: HttpServer): void {
  const document = preparedFrom(
    () => server,
    () => server.swagger(),
  );
  server.get(documentPath, { schema: { hide: true } }, (request, reply) =>
    sendPrepared(request, reply, document()),
  );
}
