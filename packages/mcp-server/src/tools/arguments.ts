import {
  type Endpoint,
  type GroupName,
  optional,
  type Parameter,
  type Parameters,
} from '@steward/shared/api/endpoint';
import { type EndpointId, endpoints } from '@steward/shared/api/endpoints';
import type { SampleStep } from '@steward/shared/api/endpoints/samples';
import { integer } from '@steward/shared/kinds';
import { isGoodFor, type Scope } from '@steward/shared/scopes';

/** How many of a list an assistant gets, who pays for each by the word. */
export const listed = { most: 50, usual: 20 } as const;

/** The API's own step is for plots, and would give thirty times as many points as are listed. */
const usualStep: SampleStep = 'hour';

/** What the API lists whole an assistant gets piece by piece. */
export const skipping = {
  name: 'skip',
  fromStart: optional(integer({ min: 0, max: 100_000 }), { means: 'How many to skip from the start' }),
  fromNewest: optional(integer({ min: 0, max: 100_000 }), {
    means: `How many of the newest to skip; without it, the newest ${listed.most} are shown`,
  }),
} as const;

/** Whose list ends with what is asked for first. */
export function isNewestLast(id: EndpointId): boolean {
  return id === 'getGameLog';
}

/** What a tool takes, by name. */
export type Arguments = ReadonlyMap<string, Parameter>;

/** What an assistant is to mend: it gave something else than the tool takes. */
export class ArgumentError extends Error {}

/** The name of the farm, which whoever destroys something has to say. */
export const confirming = {
  name: 'confirmFarm',
  noFarm: 'no farm',
  means: 'To confirm: farmName from get_status, or `no farm` while that is empty',
} as const;

/**
 * What is left of an operation's parameters for a tool: a name may fit somebody else by tomorrow, so who or what is meant is said by
 * its id alone; and what the key is not good for is not offered.
 */
export function argumentsOf(id: EndpointId, granted: ReadonlySet<Scope> | undefined): Arguments {
  const { group, path = {}, query = {}, exactlyOneOf }: Endpoint = endpoints[id];
  const isEither = (name: string) => exactlyOneOf?.includes(name) === true;
  const ids = exactlyOneOf?.filter((name) => name !== 'name') ?? [];
  const all: Parameters = { ...path, ...query, ...skippingOf(id, query) };
  const kept = Object.entries(all)
    .filter(([name]) => name !== 'name' || !isEither(name))
    .filter(([, { scope }]) => scope === undefined || granted === undefined || isGoodFor(granted, scope))
    .map(([name, row]) => {
      const isOnlyOne = ids.length === 1 && ids[0] === name;
      return [name, { ...asTold(name, row, group), isRequired: row.isRequired || isOnlyOne }] as const;
    });
  return new Map(kept);
}

function skippingOf(id: EndpointId, query: Parameters): Parameters {
  if (isNewestLast(id)) return { [skipping.name]: skipping.fromNewest };
  const isWholeList = id.startsWith('list') && !Object.hasOwn(query, 'limit');
  return isWholeList ? { [skipping.name]: skipping.fromStart } : {};
}

/** Those of which one has to be given, where there is a choice. */
export function choiceOf({ exactlyOneOf }: Endpoint): readonly string[] {
  const names = exactlyOneOf?.filter((name) => name !== 'name') ?? [];
  return names.length > 1 ? names : [];
}

/** The same parameter in the words of tools. */
function asTold(name: string, row: Parameter, group: GroupName): Parameter {
  if (name === 'limit')
    return {
      ...row,
      kind: integer({ min: 1, max: listed.most }),
      means: `The maximum number; ${listed.usual} by default`,
    };
  if (name === 'step')
    return { ...row, means: `The length of a step; days are UTC days. ${usualStep} by default` };
  // That list alone has farmhands whose players are offline, as some of its tools require; other sets are without it.
  const list = group === 'Farmhands' ? 'list_farmhands' : 'list_players';
  if (isExactId(row)) return { ...row, means: `The id of a farmhand, from ${list}` };
  const means = row.means.replace(/\.? ?Exactly one of [^.]* must be given\.?/, '');
  return { ...row, means: saysItsForm(row) ? means : `${means} (${row.kind.allowed})` };
}

/** A schema says it, or any text will do. */
function saysItsForm({ kind: { json, allowed } }: Parameter): boolean {
  return json['type'] !== 'string' || 'pattern' in json || allowed.startsWith('text');
}

function isExactId({ kind: { json } }: Parameter): boolean {
  return json['format'] === 'int64';
}

/** What a model is told of an argument. An id of 64 bits is text: as a number it would be another one. */
export function schemaOf(row: Parameter): Record<string, unknown> {
  const { json } = row.kind;
  if (isExactId(row)) return { type: 'string', pattern: '^-?[0-9]{1,19}$' };
  // Text says both, and some hosts take no choice of types.
  if (Array.isArray(json['type'])) return { ...json, type: 'string' };
  return 'enum' in json ? { type: 'string', ...json } : { ...json };
}

/** The parameters of a call, as text or number or whether; throws an ArgumentError for what a tool does not take. */
export function readArguments(
  taken: Arguments,
  given: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const unknown = Object.keys(given).filter((name) => !taken.has(name));
  if (unknown.length > 0) {
    const names = taken.size === 0 ? 'nothing' : [...taken.keys()].join(', ');
    throw new ArgumentError(
      `There is no argument ${unknown.map(shown).join(', ')}: this tool takes ${names}`,
    );
  }
  const values: Record<string, string> = {};
  for (const [name, row] of taken) {
    const value = given[name];
    if (value !== undefined && value !== null) values[name] = textOf(name, row, value);
    else if (row.isRequired) throw new ArgumentError(`${name} is missing: ${row.means}`);
    else if (name === 'limit') values[name] = String(listed.usual);
    else if (name === 'step') values[name] = usualStep;
  }
  return values;
}

function textOf(name: string, row: Parameter, value: unknown): string {
  const { allowed, parse } = row.kind;
  if (typeof value === 'number' && (isExactId(row) || mayBeRounded(value)))
    throw new ArgumentError(`${name} must be text, because a number may have been rounded to another id`);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new ArgumentError(`${name} must be ${allowed}`);
  const text = String(value);
  const parsed = parse(text);
  if (!parsed.ok) throw new ArgumentError(`${name} ${parsed.reason}: it must be ${allowed}`);
  return text;
}

/** One this large may have lost digits on its way here, and would be the id of another account. */
function mayBeRounded(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Of a name that somebody made up, so much that it is found again. */
function shown(name: string): string {
  return JSON.stringify(name.replace(/[^\w-]/g, '').slice(0, 40));
}
