import type { HttpServer } from '@steward/service-kit/http/http-server';
import { timestamp, timestampOf } from '@steward/shared/timestamp';
import { z } from 'zod';
import { documentPath } from '../openapi/document.ts';

const health = z
  .object({
    status: z.literal('ok').meta({ description: 'The process answers' }),
    timestamp,
  })
  .meta({ id: 'Health' });

/** The routes of the group Server. */
export function serverRoutes(server: HttpServer, now: () => Date): void {
  server.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the server is alive',
        description: 'Liveness: 200 whenever the process can answer, whatever the game does.',
        tags: ['Server'],
        security: [],
        response: { 200: health },
      },
    },
    async () => ({ status: 'ok' as const, timestamp: timestampOf(now()) }),
  );

  server.get(documentPath, { schema: { hide: true } }, async () => server.swagger());
}
