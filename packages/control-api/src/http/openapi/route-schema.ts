import { answers } from '@steward/shared/api/answers';
import { waitingSettings } from '@steward/shared/api/answers/settings';
import { type Endpoint, methodAndPath } from '@steward/shared/api/endpoint';
import { type EndpointId, endpointIds, endpoints } from '@steward/shared/api/endpoints';
import { problemsOf } from '@steward/shared/api/problems';
import { exactId, exactIdText } from '@steward/shared/exact-id';
import { problemSchema } from '@steward/shared/problems/problem';
import { problemCodes } from '@steward/shared/problems/problem-codes';
import { enough, type Scope } from '@steward/shared/scopes';
import { z } from 'zod';
import { frameworkPath, requestSchema } from '../endpoints/request-schema.ts';

/** The name that the document gives the key. */
export const bearerScheme = 'apiKey';

/** Where the document names the codes of an operation's problems. */
export const problemCodesExtension = 'x-problem-codes';

const nothing = z.undefined().meta({ description: 'Not modified: If-None-Match' });

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
  const isPrepared = 'prepared' in endpoint;
  return {
    operationId: id,
    summary,
    description: [description, neededText(scope)].filter((text) => text !== undefined).join(' '),
    tags: [group],
    security: security(endpoint),
    response: { ...Object.fromEntries(problems), ...(isPrepared ? { 304: nothing } : {}), ...answers[id] },
    [problemCodesExtension]: codes,
    ...Object.fromEntries(
      Object.entries(requestSchema(endpoint)).map(([part, { schema }]) => [part, schema]),
    ),
  };
}

function neededText(scope: Endpoint['scope']): string {
  if (scope === 'public') return 'Needs no key.';
  const names = enough(scope).map((name) => `\`${name}\``);
  return `Needs the scope ${names.join(' or ')}.`;
}

/** What a bearer's key has to be good for, which OpenAPI calls roles; of several any one is enough. */
function security(endpoint: Endpoint): readonly Readonly<Record<string, readonly Scope[]>>[] {
  if (endpoint.scope === 'public') return [];
  const ways = enough(endpoint.scope).map((scope) => ({ [bearerScheme]: [scope] }));
  return 'webSocket' in endpoint ? [{}, ...ways] : ways;
}

const match = z.object({ id: exactId, idStr: exactIdText, name: z.string() });

/** What every error of this service may say, beside what every error says. */
export const problemAnswer = problemSchema
  .extend({
    status: problemSchema.shape.status.min(400).max(599),
    // Codes may be added within a version, and a client that is made of a closed list would break.
    code: z.string().meta({
      description: 'A stable name for this kind of error; later versions may have more',
      'x-extensible-enum': Object.keys(problemCodes),
    }),
    retry: z.literal(true).optional().meta({
      description: 'The same request may succeed later; the header Retry-After says when',
    }),
    applied: z.literal(false).nullable().optional().meta({
      description:
        'For a command that was sent to the game. false: it was not applied and never will be. null: unknown; GET /operations/{id} may show it later. Together with `waiting` it is only about the game: the settings file has the change',
    }),
    operationId: z.string().optional().meta({
      description: 'For GET /operations/{id}, if the command became an operation before it failed',
    }),
    waiting: waitingSettings.optional().meta({
      description: 'For a change of settings that is in the file: what the game has not confirmed',
    }),
    matches: z
      .array(match)
      .optional()
      .meta({ description: 'The players or farmhands with an ambiguous name' }),
  })
  .meta({ id: 'Problem', description: 'What went wrong, and what to do' });
