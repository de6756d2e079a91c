interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses?: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** What a client of the base can no longer rely on, a line each. Additions are none of it. */
export function breakingChanges(base: ApiDocument, now: ApiDocument): readonly string[] {
  return Object.entries(base.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const what = `${method.toUpperCase()} ${path}`;
      const present = now.paths[path]?.[method];
      if (present === undefined) return [`${what} is gone`];
      return [
        ...parameterChanges(what, operation, present),
        ...answerChanges(what, base, operation, now, present),
      ];
    }),
  );
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

/** Where no type is named, anything is taken. */
function typeNarrows(base: Schema, now: Schema): boolean {
  if (now.type === undefined) return false;
  const taken = [now.type].flat();
  return base.type === undefined || [base.type].flat().some((type) => !taken.includes(type));
}

function narrows(base: Schema, now: Schema): boolean {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = base;
  return (
    typeNarrows(base, now) ||
    (now.enum !== undefined &&
      (base.enum === undefined || base.enum.some((value) => !now.enum?.includes(value)))) ||
    (now.minimum ?? Number.NEGATIVE_INFINITY) > minimum ||
    (now.maximum ?? Number.POSITIVE_INFINITY) < maximum
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
      return schemaChanges(`${what}: ${status}`, { document: base, schema }, { document: now, schema: kept });
    });
  });
}

interface Placed {
  readonly document: ApiDocument;
  readonly schema: Schema;
}

function schemaChanges(what: string, base: Placed, now: Placed): string[] {
  const before = resolve(base);
  const after = resolve(now);
  if (JSON.stringify(before.type) !== JSON.stringify(after.type)) return [`${what} has another type`];
  const changes = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const member = `${what} ${name}`;
    const present = after.properties?.[name];
    if (present === undefined) return [`${member} is gone`];
    const mayMiss = before.required?.includes(name) === true && after.required?.includes(name) !== true;
    const deeper = schemaChanges(member, { ...base, schema }, { ...now, schema: present });
    return mayMiss ? [`${member} can now be absent`, ...deeper] : deeper;
  });
  if (before.items === undefined) return changes;
  const items = schemaChanges(
    `${what}[]`,
    { ...base, schema: before.items },
    { ...now, schema: after.items ?? {} },
  );
  return [...changes, ...items];
}

function resolve({ document, schema }: Placed): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {});
}

/** What a breaking change is called by: what stands before these words in its line. */
const whatBecameOfIt =
  /:? (?:is gone|takes less|must now be given|no longer comes as .*|has another type|can now be absent)$/;

/**
 * Those of the breaking changes that no entry marked "Breaking" under *Unreleased* names. An entry names a change by quoting its
 * place in backticks, or a place that it is in: `GET /players: 200 players[]` names the change of a member of a player.
 * An operation alone names only that it is gone; whatever else became of it has to be said.
 */
export function unnamedChanges(changes: readonly string[], changelog: string): readonly string[] {
  const [, unreleased = ''] = changelog.split(/^## /m);
  const named = unreleased
    .split(/^- /m)
    .filter((entry) => /\bbreaking\b/i.test(entry))
    .flatMap((entry) =>
      [...entry.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted.replace(/\s+/g, ' ')),
    );
  return changes.filter((change) => {
    const place = change.replace(whatBecameOfIt, '');
    return !named.some((name) => names(name, place));
  });
}

function names(name: string, place: string): boolean {
  if (name === place) return true;
  const reachesInside = name.includes(': ');
  return reachesInside && place.startsWith(name) && /^[ []/.test(place.slice(name.length));
}
