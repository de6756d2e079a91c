interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses?: Readonly<
    Record<string, { content?: Readonly<Record<string, { schema?: Schema; examples?: object }>> }>
  >;
  readonly 'x-problem-codes'?: readonly string[];
  /** Scopes of which any one is enough, each in a way of its own. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Components {
  readonly schemas?: Readonly<Record<string, Schema>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Components;
}

type Topics = Readonly<Record<string, { readonly hear: string | readonly string[] }>>;

/** Of `/ws`, as AsyncAPI has it. */
export interface ChatDocument {
  readonly channels?: Readonly<Record<string, { readonly 'x-topics'?: Topics }>>;
  readonly operations: Readonly<
    Record<
      string,
      {
        readonly action: string;
        readonly messages: readonly { readonly $ref: string }[];
        readonly 'x-scopes'?: readonly string[];
      }
    >
  >;
  readonly components: Components & {
    readonly messages: Readonly<Record<string, { readonly payload: Schema }>>;
  };
}

/** Every operation answers errors in one form, which is compared once. */
const errorType = 'application/problem+json';
const errors = 'errors:';

/** In the place of a scope, where no key is needed. */
const noKey = 'public';

/** What a client of the base can no longer rely on, a line each. Additions are none of it. */
export function breakingChanges(base: ApiDocument, now: ApiDocument): readonly string[] {
  const operations = Object.values(now.paths).flatMap((methods) => Object.values(methods));
  const codes = new Set(operations.flatMap((operation) => operation['x-problem-codes'] ?? []));
  const changes = Object.entries(base.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const what = `${method.toUpperCase()} ${path}`;
      const present = now.paths[path]?.[method];
      if (present === undefined) return [`${what} is gone`];
      return [
        ...parameterChanges(what, operation, present),
        ...scopesGone(`${what}:`, scopesOf(operation), scopesOf(present)),
        ...codeChanges(what, operation, present, codes),
        ...answerChanges(what, base, operation, now, present),
      ];
    }),
  );
  return [...new Set(changes)];
}

/** The same of the messages of `/ws`. */
export function chatChanges(base: ChatDocument, now: ChatDocument): readonly string[] {
  const asked = new Set(
    Object.values(base.operations)
      .filter(({ action }) => action === 'receive')
      .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1))),
  );
  const messages = Object.entries(base.components.messages).flatMap(([name, { payload }]) => {
    const present = now.components.messages[name];
    if (present === undefined) return [`/ws ${name} is gone`];
    return schemaChanges(
      `/ws ${name}:`,
      { document: base, schema: payload },
      { document: now, schema: present.payload },
      asked.has(name) ? 'client' : 'server',
    );
  });
  const asking = Object.entries(base.operations).flatMap(([name, { 'x-scopes': scopes = [] }]) =>
    scopesGone(`/ws ${name}:`, scopes, now.operations[name]?.['x-scopes'] ?? []),
  );
  const hearing = Object.entries(topicsOf(base)).flatMap(([topic, { hear }]) =>
    scopesGone(`/ws topic ${topic}:`, [hear].flat(), [topicsOf(now)[topic]?.hear ?? []].flat()),
  );
  return [...messages, ...asking, ...hearing];
}

function parameterChanges(what: string, base: Operation, now: Operation): string[] {
  const find = (operation: Operation, name: string) => operation.parameters?.find((one) => one.name === name);
  const lost = (base.parameters ?? []).flatMap(({ name, schema = {} }) => {
    const present = find(now, name)?.schema;
    if (present === undefined) return [`${what}: the parameter ${name} is gone`];
    return narrows(schema, present) ? [`${what}: the parameter ${name} takes less`] : [];
  });
  const demanded = (now.parameters ?? [])
    .filter(({ name, required }) => required === true && find(base, name)?.required !== true)
    .map(({ name }) => `${what}: the parameter ${name} must now be given`);
  return [...lost, ...demanded];
}

/** Scopes that no longer are enough; where no key is needed, any is, and `admin` always is. */
function scopesGone(what: string, base: readonly string[], now: readonly string[]): string[] {
  if (now.includes(noKey)) return [];
  return base
    .filter((scope) => scope !== 'admin' && !now.includes(scope))
    .map((scope) => `${what} the scope ${scope} is gone`);
}

function scopesOf({ security = [] }: Operation): readonly string[] {
  const scopes = security.flatMap((way) => Object.values(way)[0] ?? [noKey]);
  return security.length === 0 ? [noKey] : scopes;
}

function topicsOf({ channels }: ChatDocument): Topics {
  return channels?.['chat']?.['x-topics'] ?? {};
}

/** A code that no operation has any more, or that has another status, is told of once, in the words for the list of all codes. */
function codeChanges(what: string, base: Operation, now: Operation, known: ReadonlySet<string>): string[] {
  return (base['x-problem-codes'] ?? []).flatMap((code) => {
    if (now['x-problem-codes']?.includes(code) !== true)
      return [known.has(code) ? `${what}: the error ${code} is gone` : valueGone(`${errors} code`, code)];
    const [status] = statusesOf(base, code);
    const isKept = status === undefined || statusesOf(now, code).includes(status);
    return isKept ? [] : [`${errors} code ${JSON.stringify(code)} has another status`];
  });
}

/** Of which answers it is an example. */
function statusesOf(operation: Operation, code: string): readonly string[] {
  return Object.entries(operation.responses ?? {})
    .filter(([, { content }]) => Object.hasOwn(content?.[errorType]?.examples ?? {}, code))
    .map(([status]) => status);
}

/** Where no type is named, anything is taken. */
function typeNarrows(base: Schema, now: Schema): boolean {
  if (now.type === undefined) return false;
  const taken = [now.type].flat();
  return base.type === undefined || [base.type].flat().some((type) => !taken.includes(type));
}

const endless = Number.POSITIVE_INFINITY;
const mosts = ['maximum', 'maxLength', 'maxItems'] as const;
const leasts = ['minimum', 'minLength', 'minItems'] as const;

/** Of a pattern that is another nobody can say here whether it takes less. */
function narrows(base: Schema, now: Schema): boolean {
  const [before, taken] = [listed(base), listed(now)];
  return (
    typeNarrows(base, now) ||
    (taken !== undefined && (before === undefined || before.some((value) => !taken.includes(value)))) ||
    mosts.some((bound) => (now[bound] ?? endless) < (base[bound] ?? endless)) ||
    leasts.some((bound) => (now[bound] ?? -endless) > (base[bound] ?? -endless)) ||
    (now.pattern !== undefined && base.pattern === undefined)
  );
}

function answerChanges(
  what: string,
  base: ApiDocument,
  before: Operation,
  now: ApiDocument,
  after: Operation,
): string[] {
  return Object.entries(before.responses ?? {}).flatMap(([status, response]) => {
    const present = after.responses?.[status];
    if (present === undefined) return [`${what}: ${status} is gone`];
    return Object.entries(response.content ?? {}).flatMap(([type, { schema = {} }]) => {
      const kept = present.content?.[type]?.schema;
      if (kept === undefined) return [`${what}: ${status} no longer comes as ${type}`];
      const place = type === errorType ? errors : `${what}: ${status}`;
      return schemaChanges(place, { document: base, schema }, { document: now, schema: kept }, 'server');
    });
  });
}

interface Placed {
  readonly document: { readonly components?: Components };
  readonly schema: Schema;
}

/** Who writes what a schema describes: a server has to say all that it said before, and may ask no more of a client. */
type Writer = 'server' | 'client';

function schemaChanges(what: string, base: Placed, now: Placed, writer: Writer): string[] {
  const [before, after] = [kindsOf(base), kindsOf(now)];
  const isSeveral = before.size > 1;
  const lost = [...before].filter(([kind]) => !after.has(kind));
  const added = [...after].filter(([kind]) => !before.has(kind));
  if (
    lost.some(([, { name }]) => name === undefined || !isSeveral) ||
    (writer === 'server' && added.some(([, { name }]) => name === undefined))
  )
    return [`${what} ${writer === 'server' ? 'has another type' : 'takes less'}`];
  return [...before].flatMap(([kind, { name, schema }]) => {
    const place = name !== undefined && isSeveral ? `${what} ${name}` : what;
    const present = after.get(kind)?.schema;
    if (present === undefined) return [`${place} is gone`];
    return contentChanges(place, { ...base, schema }, { ...now, schema: present }, writer);
  });
}

interface Kind {
  /** The `type` that is in it, as of an event. */
  readonly name: string | undefined;
  readonly schema: Schema;
}

/** What a schema allows, by what stays the same: its name, or else its type and its place among those of one type. */
function kindsOf(placed: Placed): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const schema of variantsOf(placed)) {
    const name = schema.properties?.['type']?.const;
    if (typeof name === 'string') kinds.set(name, { name, schema });
    else {
      const alike = [...kinds.values()].filter(
        (kind) => kind.name === undefined && kind.schema.type === schema.type,
      );
      kinds.set(`${schema.type} ${alike.length}`, { name: undefined, schema });
    }
  }
  return kinds;
}

/** Each with one type, or none. */
function variantsOf(placed: Placed): readonly Schema[] {
  const schema = resolve(placed);
  const several = schema.oneOf ?? schema.anyOf;
  if (several !== undefined) return several.flatMap((one) => variantsOf({ ...placed, schema: one }));
  if (schema.type === undefined) return [schema];
  return [schema.type].flat().map((type) => ({ ...schema, type }));
}

/** Of two schemas of one type. */
function contentChanges(what: string, base: Placed, now: Placed, writer: Writer): string[] {
  const takesLess = writer === 'client' && narrows(base.schema, now.schema);
  const changes = [
    ...(takesLess ? [`${what} takes less`] : []),
    ...(writer === 'server' ? valuesGone(what, base.schema, now.schema) : []),
    ...memberChanges(what, base, now, writer),
  ];
  const { items } = base.schema;
  if (items === undefined) return changes;
  const later = { ...now, schema: now.schema.items ?? {} };
  return [...changes, ...schemaChanges(`${what}[]`, { ...base, schema: items }, later, writer)];
}

function memberChanges(what: string, base: Placed, now: Placed, writer: Writer): string[] {
  const [before, after] = [base.schema, now.schema];
  const lost = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const member = `${what} ${name}`;
    const present = after.properties?.[name];
    if (present === undefined) return [`${member} is gone`];
    const mayMiss = before.required?.includes(name) === true && after.required?.includes(name) !== true;
    const deeper = schemaChanges(member, { ...base, schema }, { ...now, schema: present }, writer);
    return mayMiss && writer === 'server' ? [`${member} can now be absent`, ...deeper] : deeper;
  });
  if (writer === 'server') return lost;
  const demanded = (after.required ?? []).filter((name) => before.required?.includes(name) !== true);
  return [...lost, ...demanded.map((name) => `${what} ${name} must now be given`)];
}

/** The values that a schema names; undefined where it takes all of its type. */
function listed(schema: Schema): readonly unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return schema.enum ?? schema['x-extensible-enum'];
}

function valuesGone(what: string, base: Schema, now: Schema): string[] {
  const kept = listed(now) ?? (now.type === 'boolean' ? [true, false] : []);
  return (listed(base) ?? []).filter((value) => !kept.includes(value)).map((value) => valueGone(what, value));
}

function valueGone(what: string, value: unknown): string {
  return `${what} ${JSON.stringify(value)} is gone`;
}

function resolve({ document, schema }: Placed): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {});
}

/** What a breaking change is called by: what stands before these words in its line. */
const whatBecameOfIt =
  /:? (?:is gone|takes less|must now be given|no longer comes as .*|has another (?:type|status)|can now be absent)$/;

/**
 * Those of the breaking changes that no entry marked "Breaking" under *Unreleased* names. An entry names a change by quoting its
 * place in backticks, or a place that it is in: `GET /players: 200 players[]` names the change of a member of a player.
 * An operation alone names only that it is gone; whatever else became of it has to be said. An entry that stands in the changelog
 * of before the changes speaks of others.
 */
export function unnamedChanges(
  changes: readonly string[],
  changelog: string,
  before = '',
): readonly string[] {
  const older = new Set(entriesOf(before));
  const named = entriesOf(changelog)
    .filter((entry) => /\bbreaking\b/i.test(entry) && !older.has(entry))
    .flatMap((entry) =>
      [...entry.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted.replace(/\s+/g, ' ')),
    );
  return changes.filter((change) => {
    const place = change.replace(whatBecameOfIt, '');
    return !named.some((name) => names(name, place));
  });
}

/** Those under *Unreleased*. */
function entriesOf(changelog: string): readonly string[] {
  const [, unreleased = ''] = changelog.split(/^## /m);
  return unreleased.split(/^- /m).map((entry) => entry.trim());
}

function names(name: string, place: string): boolean {
  if (name === place) return true;
  const reachesInside = name.includes(': ');
  return reachesInside && place.startsWith(name) && /^[ []/.test(place.slice(name.length));
}
