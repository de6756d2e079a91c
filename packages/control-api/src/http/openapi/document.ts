import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { problemContentType } from '@steward/shared/problems/problem';
import { type ProblemCode, problemCodes } from '@steward/shared/problems/problem-codes';
import { changesSomething } from '../parameters/check-parameters.ts';
import { answerHeaders, ifNoneMatch } from './answer-headers.ts';
import {
  eachObject,
  exampleOf,
  isInteger,
  problemExamples,
  referencesTo,
  writeExactExamples,
} from './examples.ts';
import { problemCodesExtension } from './route-schema.ts';

/** The parts of an OpenAPI document that are touched here. */
interface Response {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Record<string, unknown>>;
}
interface Operation {
  operationId?: string;
  parameters?: object[];
  responses?: Record<string, Response>;
  [problemCodesExtension]?: readonly ProblemCode[];
}
interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, unknown>; examples?: object };
}

/** Statuses that come without a body, and what they mean. */
const withoutBody: Readonly<Record<string, string>> = {
  101: 'The connection is now a WebSocket; authenticate with the first message',
  '2XX':
    'The same, if a proxy in between speaks HTTP/2 or HTTP/3 to the client (RFC 8441); this server itself answers 101',
  304: 'Not modified: the entity tag is that of If-None-Match',
};

/** What is said of an answer when nothing went wrong. */
const allWell: Readonly<Record<string, string>> = { 200: 'Done', 202: 'In progress' };

/** Adds what the schemas of the routes cannot say: media types, what each status means, and real examples. */
export function completeDocument<D extends object>(document: D): D {
  const { paths = {}, components = {} } = document as Document;
  writeExactExamples(document);
  fitForClients(document);
  // They come in the order in which modules were loaded, which says nothing.
  const schemas = Object.entries(components.schemas ?? {});
  components.schemas = Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1)));
  const operations = Object.values(paths).flatMap((methods) => Object.entries(methods));
  for (const [method, operation] of operations) completeOperation(method, operation);
  components.examples = problemExamples(
    operations.flatMap(([, operation]) => operation[problemCodesExtension] ?? []),
  );
  return document;
}

function completeOperation(method: string, operation: Operation): void {
  const { operationId = '', responses = {} } = operation;
  const codes = operation[problemCodesExtension] ?? [];
  const isPrepared = '304' in responses;
  const isWrite = changesSomething(method.toUpperCase());
  if (isPrepared) operation.parameters = [...(operation.parameters ?? []), ifNoneMatch];
  for (const [status, response] of Object.entries(responses)) {
    const schema = response.content?.['application/json'];
    const here = codes.filter((code) => String(problemCodes[code].status) === status);
    response.headers = { ...response.headers, ...answerHeaders(status, { isPrepared, isWrite }) };
    const bodiless = withoutBody[status];
    if (bodiless !== undefined) {
      response.description = bodiless;
      delete response.content;
      continue;
    }
    const meanings = here.map((code) => `${code}: ${problemCodes[code].title}`);
    const content: Response['content'] = {};
    if (here.length > 0)
      content[problemContentType] = { schema: problemReference, examples: referencesTo(here) };
    if (schema !== undefined && !isProblem(schema)) {
      const example = exampleOf(operationId, status);
      meanings.unshift(allWell[status] ?? 'Not now; the body says why');
      content[mediaTypeOf(operationId)] = {
        ...schema,
        ...(example === undefined ? {} : { example }),
      };
    }
    response.description = meanings.join('. ');
    response.content = content;
  }
}

function mediaTypeOf(operationId: string): string {
  const declared: Readonly<Record<string, Endpoint>> = endpoints;
  const endpoint = declared[operationId];
  return (endpoint !== undefined && 'mediaType' in endpoint && endpoint.mediaType) || 'application/json';
}

const problemReference = { $ref: '#/components/schemas/Problem' };

function isProblem({ schema }: Record<string, unknown>): boolean {
  return isDeepStrictEqual(schema, problemReference);
}

const largest32 = 2 ** 31 - 1;

/** Says of each schema what clients can be made from. */
function fitForClients(document: object): void {
  eachObject(document, (schema) => {
    // An answer may get further members within a version: a client must not be told that there are no others.
    if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
    // A client that reads the text as a time holds the pattern against its own writing of it, which is another.
    if (schema['format'] === 'date-time') delete schema['pattern'];
    // Without a format it would be read into 32 bits, where a byte count of a disk has no room.
    if (isInteger(schema) && Number(schema['maximum']) > largest32) schema['format'] ??= 'int64';
  });
}

const reference = /"#\/components\/schemas\/([^"]+)"/g;

/** Removes the schemas that nothing in the document refers to: the generator writes a twin of each for input. */
export function removeUnusedSchemas(document: object): void {
  const schemas = schemasOf(document);
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(reference)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(schemas[name]);
    }
  };
  follow({ ...document, components: undefined });
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
}

function schemasOf(document: {
  components?: { schemas?: Record<string, unknown> };
}): Record<string, unknown> {
  return document.components?.schemas ?? {};
}
