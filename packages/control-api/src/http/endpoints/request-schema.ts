import { type Endpoint, isWrite } from '@steward/shared/api/endpoint';
import { idempotencyHeader } from '@steward/shared/api/idempotency-key';
import { parametersSchema } from '../parameters/check-parameters.ts';

/** A path as the framework writes it. */
export function frameworkPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Every server, and the document that describes it, checks the same: making it again is a tenth of what a server takes to begin. */
const known = new Map<Endpoint, ReturnType<typeof makeSchema>>();

/** What is checked of a request before its handler sees it. */
export function requestSchema(endpoint: Endpoint) {
  const schema = known.get(endpoint) ?? makeSchema(endpoint);
  known.set(endpoint, schema);
  return schema;
}

function makeSchema(endpoint: Endpoint) {
  const { path, query, exactlyOneOf } = endpoint;
  // A write refuses what it does not know, and so has a schema also where it takes nothing.
  const takes = query ?? (isWrite(endpoint) ? {} : undefined);
  return {
    ...(path === undefined ? {} : { params: parametersSchema(path) }),
    ...(takes === undefined ? {} : { querystring: parametersSchema(takes, exactlyOneOf) }),
    ...(isWrite(endpoint) ? { headers: parametersSchema(idempotencyHeader) } : {}),
  };
}
