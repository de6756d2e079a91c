import { chatScopes } from '../../chat/rules.ts';
import type { Endpoints } from '../endpoint.ts';

/** What tells of the API: for people, for programs, and for those who speak WebSocket. */
export const documentEndpoints = {
  getDocument: {
    on: 'GET /api-spec/v1/api-spec.json',
    group: 'Server',
    scope: 'public',
    summary: 'The OpenAPI document',
    hidden: true,
  },
  getDocsPage: {
    on: 'GET /docs',
    group: 'Server',
    scope: 'public',
    summary: 'The interactive page',
    hidden: true,
    folder: true,
  },
  getAsyncApi: {
    on: 'GET /api-spec/v1/async-api.json',
    group: 'Server',
    scope: chatScopes.hear,
    summary: 'The AsyncAPI document of /ws',
    hidden: true,
  },
} as const satisfies Endpoints;
