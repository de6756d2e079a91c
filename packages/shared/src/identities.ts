import { z } from 'zod';

/** Stands in the OpenAPI document, too. */
const mark = 'x-scope';

const absent = 'Absent for a key without the scope moderate';

/** Marks what tells who somebody is to a platform or a network, or from where they come: only who may `moderate` is shown it. */
export function identity<Schema extends z.ZodType>(schema: Schema): Schema {
  const { description } = schema.meta() ?? {};
  return schema.meta({
    description: description === undefined ? absent : `${description}. ${absent}`,
    [mark]: 'moderate',
  });
}

/**
 * What is left for everybody else: of each object what its schema names, and of that nothing that is marked. It looks into objects,
 * lists and what may be absent.
 */
export function withoutIdentities(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional) return withoutIdentities(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodObject && isObject(value)) return membersWithout(schema, value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withoutIdentities(schema.element as z.ZodType, item));
  return value;
}

function membersWithout({ shape }: z.ZodObject, value: Readonly<Record<string, unknown>>): object {
  const shown = Object.entries(shape).filter(
    ([name, member]) => Object.hasOwn(value, name) && !isIdentity(member as z.ZodType),
  );
  return Object.fromEntries(
    shown.map(([name, member]) => [name, withoutIdentities(member as z.ZodType, value[name])]),
  );
}

/** Whether something of an object, at its first level, is kept from most. */
export function hasIdentities({ shape }: z.ZodObject): boolean {
  return Object.values(shape).some((member) => isIdentity(member as z.ZodType));
}

export function isIdentity(schema: z.ZodType): boolean {
  if (schema.meta()?.[mark] !== undefined) return true;
  return schema instanceof z.ZodOptional && isIdentity(schema.unwrap() as z.ZodType);
}

/** Takes the mark off a JSON Schema, for where no key decides what is shown. */
export function unmark(schema: { [mark]?: unknown; description?: string }): void {
  delete schema[mark];
  if (schema.description?.endsWith(absent) !== true) return;
  schema.description = schema.description.slice(0, -absent.length).replace(/\. $/, '');
  if (schema.description === '') delete schema.description;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
