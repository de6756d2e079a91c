import { clientErrorCodes } from '@steward/client/error';
import type { Endpoint } from '@steward/shared/api/endpoint';
import { type EndpointId, endpoints } from '@steward/shared/api/endpoints';
import { exactId } from '@steward/shared/exact-id';
import { asCode, type Places, table } from './places.ts';

/** What the package's own page has from its code. */
export const clientPlaces: Places = {
  'codes of the client': table(
    ['Code', 'Meaning'],
    Object.entries(clientErrorCodes).map(([code, meaning]) => [asCode(code), meaning]),
  ),
};

/** The parts of a JSON schema that the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-extensible-enum'?: readonly string[];
}

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
const readable = ['application/json', 'text/plain'];

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
      ...(type === 'text/plain' ? ['text'] : []),
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
    `import type { CallOptions, WriteOptions } from ${quoted('../options.ts')};\n`,
    `\n/** The code of an error that the server answers with. */\nexport type ProblemCode =${codes.map((code) => `\n  | ${quoted(code)}`).join('')};\n`,
    ...Object.entries(schemas).map(([name, schema]) => namedType(name, schema)),
    ...operations.flatMap(parametersType),
    `\n/** Every operation of the API, by the name that its document gives it. */\nexport interface FarmOperations {${operations.map((each) => method(each, operations)).join('')}}\n`,
  ].join('');
}

function namedType(name: string, schema: Schema): string {
  const about = comment([schema.description]);
  return schema.properties === undefined
    ? `\n${about}export type ${name} = ${typeOf(schema)};\n`
    : `\n${about}export interface ${name} ${objectType(schema, '')}\n`;
}

/** Where one of two has to be given, each by itself; a program that gives both, or neither, does not compile. */
function parametersType(operation: Operation): readonly string[] {
  const given = givenIn(operation);
  if (given.length === 0) return [];
  const { exactlyOneOf }: Endpoint = endpoints[operation.operationId];
  const about = `\n/** What \`${operation.operationId}\` takes. */\n`;
  const name = `${capital(operation.operationId)}Parameters`;
  if (exactlyOneOf === undefined) return [`${about}export interface ${name} ${members(given)}\n`];
  const [one, other] = exactlyOneOf;
  const ways = [
    members(given, { needed: one, absent: other }),
    members(given, { needed: other, absent: one }),
  ];
  return [`${about}export type ${name} =${ways.map((way) => `\n  | ${way}`).join('')};\n`];
}

function members(
  given: readonly DocumentedParameter[],
  way?: { readonly needed: string; readonly absent: string },
): string {
  const indent = way === undefined ? '' : '    ';
  const lines = given.map(({ name, required, description, schema }) => {
    if (name === way?.absent) return `${indent}  ${name}?: undefined;\n`;
    const type = typeOf(schema, '', true);
    const value = required || name === way?.needed ? `: ${type}` : `?: ${type} | undefined`;
    return `${comment([description], `${indent}  `)}${indent}  ${name}${value};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function method(operation: Operation, all: readonly Operation[]): string {
  const { operationId, method: verb, path, summary, description, answers } = operation;
  const isWrite = verb !== 'GET';
  const given = givenIn(operation);
  const type = given.length === 0 ? 'Record<string, never>' : `${capital(operationId)}Parameters`;
  const isNeeded = given.some(({ required }) => required) || 'exactlyOneOf' in endpoints[operationId];
  const answer = [...new Set(answers.map(({ schema }) => typeOf(schema)))].join(' | ');
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

function objectType(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment([aboutMember(schema)], `${indent}  `)}${indent}  ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, `${indent}  `)};\n`,
  );
  const more = additionalProperties === undefined ? '' : `${indent}  [member: string]: unknown;\n`;
  return `{\n${lines.join('')}${more}${indent}}`;
}

/** That parsers round an id is nothing for those whose client does not. */
function aboutMember({ description, format }: Schema): string | undefined {
  if (format !== 'int64') return description;
  const rest = description?.replace(exactId.description ?? '', '').replace(/^\. /, '');
  return rest === '' ? undefined : rest;
}

/** What a value is when it is read; what is given may be more. */
function typeOf(schema: Schema, indent = '', isGiven = false): string {
  const { $ref, anyOf, type, format, pattern, items } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'unknown';
  if (schema['x-extensible-enum'] !== undefined) return 'ProblemCode | (string & {})';
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ');
  if (anyOf !== undefined) return union(anyOf.map((each) => typeOf(each, indent, isGiven)));
  if (format === 'int64') return isGiven ? 'bigint | string' : 'bigint';
  if (isGiven && pattern?.startsWith('^[0-9]')) return 'bigint | string';
  if (isGiven && format === 'date-time') return 'Date | string';
  if (Array.isArray(type))
    return union(type.map((each) => typeOf({ ...schema, type: each }, indent, isGiven)));
  if (type === 'array') {
    const item = typeOf(items ?? {}, indent, isGiven);
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object' && schema.properties !== undefined) return objectType(schema, indent);
  if (type === 'object')
    return `Record<string, ${typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, indent) : 'unknown'}>`;
  if (type === 'integer') return 'number';
  return typeof type === 'string' ? type : 'unknown';
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function comment(paragraphs: readonly (string | undefined)[], indent = ''): string {
  const [first, ...more] = paragraphs
    .filter((each) => each !== undefined)
    .map((each) => each.replaceAll('*/', '*\\/'));
  if (first === undefined) return '';
  if (more.length === 0) return `${indent}/** ${first} */\n`;
  const lines = ['/**', ` * ${first}`, ...more.flatMap((each) => [' *', ` * ${each}`]), ' */'];
  return lines.map((line) => `${indent}${line}\n`).join('');
}
