import { idAsTextAdvice } from '@steward/shared/api/endpoints/players';
import { exactId } from '@steward/shared/exact-id';

/** The parts of a JSON schema that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  /** An id has none: it may be any of 64 bits. */
  readonly maximum?: number;
  /** Of what is no JSON, and is handed out as bytes. */
  readonly contentMediaType?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-extensible-enum'?: readonly string[];
}

/** A schema of the document under its name, for people who read it in an editor. */
export function namedType(name: string, schema: Schema): string {
  const about = comment([schema.description]);
  if (schema.oneOf !== undefined) return kindsOf(name, schema.oneOf, about);
  return schema.properties === undefined
    ? `\n${about}export type ${name} = ${typeOf(schema)};\n`
    : `\n${about}export interface ${name} ${objectType(schema, '')}\n`;
}

/** What differs by its `type` in its `data` alone, as events do: with the data of each by its type. */
function kindsOf(name: string, kinds: readonly Schema[], about: string): string {
  const rows = kinds.map(({ description, properties = {} }) => {
    const { type, data } = properties;
    return `${comment([description], '  ')}  ${quoted(type?.const)}: ${typeOf(data ?? {}, '  ')};\n`;
  });
  const { properties: { type: _type, data: _data, ...common } = {}, required = [] } = kinds[0] ?? {};
  return `
/** What ${name} has as its \`data\`, by its \`type\`. */
export interface ${name}Data {
${rows.join('')}}

/** What can be said in the \`type\` of ${name}. */
export type ${name}Type = keyof ${name}Data;

${about}export type ${name} = {
  [Type in ${name}Type]: {
    type: Type;
${memberLines(common, required, '    ')}    data: ${name}Data[Type];
  };
}[${name}Type];
`;
}

function objectType(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  const more = additionalProperties === undefined ? '' : `${indent}  [member: string]: unknown;\n`;
  return `{\n${memberLines(properties, required, `${indent}  `)}${more}${indent}}`;
}

function memberLines(
  members: Readonly<Record<string, Schema>>,
  required: readonly string[],
  indent: string,
): string {
  return Object.entries(members)
    .map(
      ([name, schema]) =>
        `${comment([aboutValue(schema.description)], indent)}${indent}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, indent)};\n`,
    )
    .join('');
}

/** That programs round an id is nothing for those whose client does not. */
export function aboutValue(description: string | undefined): string | undefined {
  const rest = description
    ?.replace(exactId.description ?? '', '')
    .replace(idAsTextAdvice, '')
    .replace(/^\. | $/, '');
  return rest === '' ? undefined : rest;
}

/** The pattern of an id of digits and nothing else. */
const digitsAlone = /^\^\[0-9\]\{1,\d+\}\$$/;

/** What a value is when it is read; what is given may be more. */
export function typeOf(schema: Schema, indent = '', isGiven = false): string {
  const { $ref, anyOf, type, format, maximum, pattern, items, additionalProperties } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'unknown';
  if (schema['x-extensible-enum'] !== undefined) return 'ProblemCode | (string & {})';
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ');
  if (anyOf !== undefined) return union(anyOf.map((each) => typeOf(each, indent, isGiven)));
  if (format === 'int64' && maximum === undefined) return isGiven ? 'bigint | string' : 'bigint';
  if (isGiven && pattern !== undefined && digitsAlone.test(pattern)) return 'bigint | string';
  if (isGiven && format === 'date-time') return 'Date | string';
  if (Array.isArray(type))
    return union(type.map((each) => typeOf({ ...schema, type: each }, indent, isGiven)));
  if (type === 'array') {
    const item = typeOf(items ?? {}, indent, isGiven);
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object' && Object.keys(schema.properties ?? {}).length > 0) return objectType(schema, indent);
  if (type === 'object' && additionalProperties === undefined) return 'object';
  if (type === 'object')
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'}>`;
  if (type === 'integer') return 'number';
  if (typeof type === 'string') return type;
  // Anything at all is said by nothing but words; whatever else is not known here must not become that unseen.
  const unread = Object.keys(schema).filter((member) => member !== 'description' && member !== 'examples');
  if (unread.length > 0) throw new Error(`nobody knows how a schema with ${unread.join(', ')} is printed`);
  return 'unknown';
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

export function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value);
}

export function comment(paragraphs: readonly (string | undefined)[], indent = ''): string {
  const [first, ...more] = paragraphs
    .filter((each) => each !== undefined)
    .map((each) => each.replaceAll('*/', '*\\/'));
  if (first === undefined) return '';
  if (more.length === 0) return `${indent}/** ${first} */\n`;
  const lines = ['/**', ` * ${first}`, ...more.flatMap((each) => [' *', ` * ${each}`]), ' */'];
  return lines.map((line) => `${indent}${line}\n`).join('');
}
