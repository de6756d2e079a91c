import type { HttpServer } from '@steward/service-kit/http/http-server';
import { cabinsAnswer } from '../bodies/cabins.ts';
import { routeSchema } from '../openapi/route-schema.ts';
import { answerFromState, type RouteParts } from './parts.ts';

/** The routes of the group Cabins. */
export function cabinRoutes(server: HttpServer, parts: RouteParts): void {
  server.get(
    '/cabins',
    {
      schema: routeSchema({
        operationId: 'listCabins',
        summary: 'Cabins, their owners and positions',
        tag: 'Cabins',
        isPrepared: true,
        answers: { 200: cabinsAnswer },
      }),
    },
    answerFromState(parts, '/cabins'),
  );
}
