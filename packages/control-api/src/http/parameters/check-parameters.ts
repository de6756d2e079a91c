import type { Parameter, Parameters } from '@steward/shared/api/endpoint';
import { Problem } from '@steward/shared/problems/problem';
import { capital } from '@steward/shared/text';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { QueryText } from './query-text.ts';

/** Where a declaration names an example: under the usual name it would not reach the document, since these schemas transform. */
export const parameterExample = 'x-example';

/** What an error repeats of a value at most. */
const shownLength = 40;

type ParametersSchema = z.ZodObject<Record<string, z.ZodType>>;

/**
 * What is declared to be in a query, a path or the headers; several of them may be a choice. The schema is made when something is first
 * checked by it: all of them would be a twentieth of what a server takes to begin, and of its memory.
 */
export class DeclaredParameters {
  readonly names: readonly string[];
  readonly #make: () => ParametersSchema;
  #schema: ParametersSchema | undefined;

  constructor(declared: Parameters, exactlyOneOf?: readonly string[]) {
    this.names = Object.keys(declared);
    this.#make = () => parametersSchema(declared, exactlyOneOf);
  }

  get schema(): ParametersSchema {
    this.#schema ??= this.#make();
    return this.#schema;
  }
}

function parametersSchema(declared: Parameters, exactlyOneOf?: readonly string[]): ParametersSchema {
  const each = Object.entries(declared).map(([name, one]) => [name, parameterSchema(one)]);
  const schema = z.object<Record<string, z.ZodType>>(Object.fromEntries(each));
  return exactlyOneOf === undefined ? schema : schema.check(exactlyOne(exactlyOneOf));
}

/** Text that is parsed once, here, and described by the same declaration. */
function parameterSchema({ kind, isRequired, means, example, scope, isSecret }: Parameter): z.ZodType {
  const { allowed, json, parse } = kind;
  const schema = z
    .string({ error: `is missing: it must be ${allowed}` })
    .transform((text, context) => {
      const parsed = parse(text);
      if (parsed.ok) return parsed.value;
      const given = isSecret ? parsed.reason : `is ${shown(text)}, which ${parsed.reason}`;
      const what = text === '' ? 'is empty' : given;
      context.issues.push({ code: 'custom', message: `${what}: it must be ${allowed}`, input: text });
      return z.NEVER;
    })
    .meta({
      description: scope === undefined ? means : `${means}. Needs the scope \`${scope}\``,
      ...json,
      ...(example === undefined ? {} : { [parameterExample]: example }),
    });
  return isRequired ? schema : schema.optional();
}

/** The rule that several together, or none, is an error. */
function exactlyOne(names: readonly string[]) {
  const isPair = names.length === 2;
  const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return (given: z.core.ParsePayload<Readonly<Record<string, unknown>>>): void => {
    const there = names.filter((name) => given.value[name] !== undefined).length;
    if (there === 1) return;
    const none = isPair ? 'neither is given' : 'none is given';
    const more = isPair ? 'both are given' : 'more are given';
    const message = `exactly one of ${listed} must be given; ${there === 0 ? none : more}`;
    given.issues.push({ code: 'custom', message, input: given.value });
  };
}

function shown(text: string): string {
  return JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}

/** Makes the check of each part of a request that a route has a schema for. */
export const compileParameters: typeof validatorCompiler = (route) => {
  const { schema, httpPart, method }: { schema: unknown; httpPart?: string; method?: string } = route;
  if (!(schema instanceof DeclaredParameters)) return validatorCompiler(route);
  if (httpPart !== 'querystring') return (given) => checkValues(schema, given);
  return checkQuery(schema, { refuseUnknown: changesSomething(method) });
};

export function changesSomething(method: string | undefined): boolean {
  return method === 'POST' || method === 'DELETE';
}

type Checked = { readonly value: unknown } | { readonly error: Problem };

interface CheckOptions {
  /** Whether a parameter that the route does not have is an error, or passed over. */
  readonly refuseUnknown: boolean;
}

/**
 * The one way in for parameters: each is given at most once and is valid as a whole, or the answer is a problem that
 * names it.
 */
function checkQuery(declared: DeclaredParameters, { refuseUnknown }: CheckOptions) {
  const { names } = declared;
  return (query: QueryText): Checked => {
    const unknown = refuseUnknown ? Object.keys(query).find((name) => !names.includes(name)) : undefined;
    if (unknown !== undefined) return { error: unknownParameter(unknown, names) };
    const given: Record<string, string> = {};
    for (const name of names) {
      const [value, ...more] = query[name] ?? [];
      if (value === undefined) continue;
      if (more.length > 0) return invalid(`${name} is given ${more.length + 1} times: give it once`);
      if (!value.ok) return invalid(`${name} ${value.reason}`);
      given[name] = value.value;
    }
    return checkValues(declared, given);
  };
}

/** Checks values that stand alone already, as a path's do. */
function checkValues({ schema }: DeclaredParameters, given: Readonly<Record<string, string>>): Checked {
  const parsed = schema.safeParse(given);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? '');
  const message = `${name} ${issue?.message}`.trim();
  if (name === '') return { error: new Problem('conflicting-parameters', capital(message)) };
  if (!Object.hasOwn(given, name)) return { error: new Problem('missing-parameter', message) };
  return invalid(message);
}

function invalid(detail: string): Checked {
  return { error: new Problem('invalid-parameter', detail) };
}

function unknownParameter(name: string, names: readonly string[]): Problem {
  const has = names.length === 0 ? 'takes no parameters' : `takes ${names.join(', ')}`;
  return new Problem('unknown-parameter', `${JSON.stringify(name.slice(0, 40))}: this route ${has}`);
}
