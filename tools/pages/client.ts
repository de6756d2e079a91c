import { clientErrorCodes } from '@steward/client/error';
import type { Endpoint } from '@steward/shared/api/endpoint';
import { type EndpointId, endpoints } from '@steward/shared/api/endpoints';
import { topicNames } from '@steward/shared/events/event-types';
import { asCode, type Places, table } from './places.ts';
import { aboutValue, comment, namedType, quoted, type Schema, typeOf } from './schema-types.ts';

/** What the package's own page has from its code. */
export const clientPlaces: Places = {
  'codes of the client': table(
    ['Code', 'Meaning'],
    Object.entries(clientErrorCodes).map(([code, meaning]) => [asCode(code), meaning]),
  ),
};

interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface DocumentedOperation {
  readonly operationId: EndpointId;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>
  >;
  readonly 'x-problem-codes': readonly string[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation extends DocumentedOperation {
  readonly method: string;
  readonly path: string;
  /** What it answers where it is not an error, by status. */
  readonly answers: readonly { readonly status: number; readonly type: string; readonly schema: Schema }[];
}

const header = '// Made by `npm run generate` from the OpenAPI document.\n';

/** What clients can ask for and read whole: a socket or a stream is another thing. */
const readable = [
  'application/json',
  ...Object.values<Endpoint>(endpoints).flatMap((each) =>
    'mediaType' in each && each.mediaType !== undefined && !each.endless ? [each.mediaType] : [],
  ),
];

/** The files of the client that are made from the document, by their paths. */
export function clientFiles(documentText: string): readonly (readonly [string, string])[] {
  const document: Document = JSON.parse(documentText);
  const operations = operationsOf(document);
  return [
    ['packages/client/src/generated/api.ts', typesOf(document, operations)],
    ['packages/client/src/generated/operations.ts', tableOf(operations)],
  ];
}

function operationsOf({ paths }: Document): readonly Operation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        answers: Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
          readable
            .filter((type) => content[type] !== undefined)
            .map((type) => ({ status: Number(status), type, schema: content[type]?.schema ?? {} })),
        ),
      })),
    )
    .filter(({ answers }) => answers.length > 0);
}

/** A row of what runs: method, path, and what else it answers than JSON with 200. */
function tableOf(operations: readonly Operation[]): string {
  const rows = operations.map(({ operationId, method, path, answers }) => {
    const more = answers.flatMap(({ status, type }) => [
      ...(type === 'application/json' ? [] : [type]),
      ...(status === 200 ? [] : [status]),
    ]);
    return `  ${operationId}: '${[method, path, ...more].join(' ')}',\n`;
  });
  return `${header}export const operations: Readonly<Record<string, string>> = {\n${rows.join('')}};\n`;
}

function typesOf({ components: { schemas } }: Document, operations: readonly Operation[]): string {
  const codes = schemas['Problem']?.properties?.['code']?.['x-extensible-enum'] ?? [];
  return [
    header,
    `import type { Bytes, CallOptions, WriteOptions } from ${quoted('../options.ts')};\n`,
    `\n/** The code of an error that the server answers with. */\nexport type ProblemCode =${unionOf(codes)};\n`,
    `\n/** What events are about: their types begin with it. */\nexport type Topic =${unionOf(topicNames)};\n`,
    ...Object.entries(schemas).map(([name, schema]) => namedType(name, schema)),
    ...operations.flatMap(parametersType),
    `\n/** Every operation of the API, by the name that its document gives it. */\nexport interface FarmOperations {${operations.map((each) => method(each, operations)).join('')}}\n`,
  ].join('');
}

function unionOf(names: readonly string[]): string {
  return names.map((name) => `\n  | ${quoted(name)}`).join('');
}

/** Where exactly one of some has to be given, each by itself; a program that gives two of them, or none, does not compile. */
function parametersType(operation: Operation): readonly string[] {
  const given = givenIn(operation);
  if (given.length === 0) return [];
  const { exactlyOneOf }: Endpoint = endpoints[operation.operationId];
  const about = `\n/** What \`${operation.operationId}\` takes. */\n`;
  const name = `${capital(operation.operationId)}Parameters`;
  if (exactlyOneOf === undefined) return [`${about}export interface ${name} ${membersGiven(given)}\n`];
  const ways = exactlyOneOf.map((needed) =>
    membersGiven(given, { needed, absent: exactlyOneOf.filter((other) => other !== needed) }),
  );
  return [`${about}export type ${name} =${ways.map((way) => `\n  | ${way}`).join('')};\n`];
}

function membersGiven(
  given: readonly DocumentedParameter[],
  way?: { readonly needed: string; readonly absent: readonly string[] },
): string {
  const indent = way === undefined ? '' : '    ';
  const lines = given.map(({ name, required, description, schema }) => {
    if (way?.absent.includes(name)) return `${indent}  ${name}?: undefined;\n`;
    const about = aboutValue(description);
    const type = typeOf(schema, '', true);
    const value = required || name === way?.needed ? `: ${type}` : `?: ${type} | undefined`;
    return `${comment([about], `${indent}  `)}${indent}  ${name}${value};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function method(operation: Operation, all: readonly Operation[]): string {
  const { operationId, method: verb, path, summary, description, answers } = operation;
  const isWrite = verb !== 'GET';
  const given = givenIn(operation);
  const type = given.length === 0 ? 'Record<string, never>' : `${capital(operationId)}Parameters`;
  const isNeeded = given.some(({ required }) => required) || 'exactlyOneOf' in endpoints[operationId];
  const shown = answers.map(({ schema }) =>
    schema.contentMediaType === undefined ? typeOf(schema) : 'Bytes',
  );
  const answer = [...new Set(shown)].join(' | ');
  const about = comment([summary, description, `\`${verb} ${path}\``, ownErrors(operation, all)], '  ');
  return `\n${about}  ${operationId}(parameters${isNeeded ? '' : '?'}: ${type}, options?: ${isWrite ? 'Write' : 'Call'}Options): Promise<${answer}>;\n`;
}

/** Those that not most of its kind have, too. */
function ownErrors({ method: verb, ...operation }: Operation, all: readonly Operation[]): string | undefined {
  const kin = all.filter((each) => (each.method === 'GET') === (verb === 'GET'));
  const own = operation['x-problem-codes'].filter(
    (code) => kin.filter((each) => each['x-problem-codes'].includes(code)).length * 2 < kin.length,
  );
  return own.length === 0 ? undefined : `Errors of its own: ${own.map((code) => `\`${code}\``).join(', ')}`;
}

function givenIn({ parameters = [] }: Operation): readonly DocumentedParameter[] {
  return parameters.filter((parameter) => parameter.in !== 'header');
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
