import type { Tool } from '@modelcontextprotocol/server';
import { type Endpoint, isWrite, methodAndPath } from '@steward/shared/api/endpoint';
import { type EndpointId, endpointIds, endpoints } from '@steward/shared/api/endpoints';
import { isGoodFor, type Scope } from '@steward/shared/scopes';
import { argumentsOf, choiceOf, confirming, schemaOf } from './arguments.ts';
import { deedOf } from './deeds.ts';
import { allPlayerText, allSets, type ToolsetName, toolName, toolsetOf } from './toolsets.ts';

/** What the operator lets assistants have. */
export interface Offer {
  readonly sets: readonly (ToolsetName | typeof allSets)[];
  readonly isReadOnly: boolean;
  readonly showsPlayerText: boolean;
}

/** Why an operation is no tool here; undefined where it is one. `granted` is not known while the farm was never reached. */
export function missingBecause(
  id: EndpointId,
  { sets, isReadOnly, showsPlayerText }: Offer,
  granted: ReadonlySet<Scope> | undefined,
): string | undefined {
  const endpoint: Endpoint = endpoints[id];
  const set = toolsetOf(id);
  if (set === undefined) return 'assistants do not get it';
  if (isReadOnly && isWrite(endpoint)) return 'MCP_READ_ONLY is on';
  if (!sets.includes(allSets) && !sets.includes(set)) return `the set ${set} is not in MCP_TOOLSETS`;
  if (!showsPlayerText && allPlayerText.includes(id)) return 'MCP_PLAYER_TEXT is off';
  if (granted === undefined) return undefined;
  if (endpoint.scope !== 'public' && !isGoodFor(granted, endpoint.scope))
    return `the key in STEWARD_KEY lacks the scope ${[endpoint.scope].flat().join(' or ')}`;
  const { scope: toConfirm } = endpoints.getStatus;
  if (deedOf(id)?.isDestructive && !isGoodFor(granted, toConfirm))
    return `the key in STEWARD_KEY lacks the scope ${toConfirm}, which its confirmation needs`;
  return undefined;
}

/** The tools that there are, always in the same order. */
export function toolsOf(offer: Offer, granted: ReadonlySet<Scope> | undefined): Tool[] {
  return endpointIds
    .filter((id) => missingBecause(id, offer, granted) === undefined)
    .map((id) => toolOf(id, granted));
}

function toolOf(id: EndpointId, granted: ReadonlySet<Scope> | undefined): Tool {
  const endpoint: Endpoint = endpoints[id];
  const deed = deedOf(id);
  const rows = [...argumentsOf(id, granted)];
  const properties: [string, object][] = rows.map(([name, row]) => [
    name,
    { ...schemaOf(row), description: inWordsOfTools(row.means) },
  ]);
  const required = rows.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  if (deed?.isDestructive) {
    properties.push([confirming.name, { type: 'string', description: confirming.means }]);
    required.push(confirming.name);
  }
  return {
    name: toolName(id),
    description: describe(endpoint),
    inputSchema: {
      type: 'object',
      // Kinds hold plain JSON, and do not say so.
      properties: Object.fromEntries(properties) as Tool['inputSchema']['properties'],
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: deed === undefined,
      destructiveHint: deed?.isDestructive ?? false,
      idempotentHint: deed?.isIdempotent ?? true,
      openWorldHint: deed?.reachesOut ?? false,
    },
  };
}

function describe(endpoint: Endpoint): string {
  const { summary, description } = endpoint;
  const either = choiceOf(endpoint);
  const sentences = [
    `${summary}.`,
    description,
    either.length === 0 ? undefined : `Give exactly one of ${either.join(', ')}.`,
  ];
  return inWordsOfTools(sentences.filter((one) => one !== undefined).join(' '));
}

const tools = endpointIds.map((id) => {
  const { method, path } = methodAndPath(endpoints[id]);
  return { asked: `${method} ${path}`, name: toolName(id) };
});

/** Where the API's words name a request, the tool that makes it. */
export function inWordsOfTools(text: string): string {
  return text.replace(/\b(GET|POST|DELETE) \/[\w/{}-]*/g, (asked) => {
    return tools.find((tool) => tool.asked === asked)?.name ?? asked;
  });
}
