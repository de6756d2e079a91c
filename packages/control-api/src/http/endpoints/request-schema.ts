import { type Endpoint, isWrite } from '@steward/shared/api/endpoint';
import { idempotencyHeader } from '@steward/shared/api/idempotency-key';
import { DeclaredParameters } from '../parameters/check-parameters.ts';

/** A path as the framework writes it. */
export function frameworkPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** What is checked of a request before its handler sees it. */
export function requestSchema(endpoint: Endpoint) {
  const { path, query, exactlyOneOf } = endpoint;
  // A write refuses what it does not know, and so has a schema also where it takes nothing.
  const takes = query ?? (isWrite(endpoint) ? {} : undefined);
  return {
    ...(path === undefined ? {} : { params: new DeclaredParameters(path) }),
    ...(takes === undefined ? {} : { querystring: new DeclaredParameters(takes, exactlyOneOf) }),
    ...(isWrite(endpoint) ? { headers: new DeclaredParameters(idempotencyHeader) } : {}),
  };
}
