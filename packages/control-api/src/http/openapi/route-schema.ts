import { answers } from '@steward/shared/api/answers';
import { type Endpoint, methodAndPath } from '@steward/shared/api/endpoint';
import { type EndpointId, endpointIds, endpoints } from '@steward/shared/api/endpoints';
import { problemsOf } from '@steward/shared/api/problems';
import { problemCodes } from '@steward/shared/problems/problem-codes';
import { z } from 'zod';
import { frameworkPath, requestSchema } from '../endpoints/request-schema.ts';
import { problemAnswer } from './problem-answer.ts';

/** The name that the document gives the key. */
export const bearerScheme = 'apiKey';

/** Where the document names the codes of an operation's problems. */
export const problemCodesExtension = 'x-problem-codes';

const nothing = z.undefined().meta({ description: 'The caller has it already: If-None-Match' });

/** Every operation of the API as a route: what it takes, and every status that it can give. */
export function describedRoutes() {
  return endpointIds
    .map((id) => ({ id, endpoint: endpoints[id] as Endpoint }))
    .filter(({ endpoint }) => !('hidden' in endpoint))
    .map(({ id, endpoint }) => {
      const { method, path } = methodAndPath(endpoint);
      return { method, url: frameworkPath(path), schema: routeSchema(id, endpoint) };
    });
}

function routeSchema(id: EndpointId, endpoint: Endpoint) {
  const { summary, description, group, scope } = endpoint;
  const codes = problemsOf(endpoint);
  const problems = codes.map((code) => [problemCodes[code].status, problemAnswer] as const);
  const keyMayWait = 'webSocket' in endpoint;
  const isPrepared = 'prepared' in endpoint;
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [group],
    ...(scope === 'public' ? { security: [] } : {}),
    ...(keyMayWait ? { security: [{}, { [bearerScheme]: [] }] } : {}),
    response: { ...Object.fromEntries(problems), ...(isPrepared ? { 304: nothing } : {}), ...answers[id] },
    [problemCodesExtension]: codes,
    ...requestSchema(endpoint),
  };
}
