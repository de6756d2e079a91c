import { expect, it } from 'vitest';
import { openApi } from './stage/open-api.ts';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every object that the document describes, by its members. */
function objectsIn(node: unknown): Readonly<Record<string, Schema>>[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties } = node as Schema;
  const inner = Object.values(node).flatMap(objectsIn);
  return properties === undefined ? inner : [properties, ...inner];
}

/** A count has a maximum, which every parser can read exactly. */
function isId({ format, maximum }: Schema): boolean {
  return format === 'int64' && maximum === undefined;
}

it('every 64-bit id in an answer has a twin as text, and an operation id is text alone', async () => {
  await using api = await openApi();
  const objects = objectsIn(api.document);
  const twins = objects.flatMap((properties) =>
    Object.entries(properties).flatMap(([name, schema]) => {
      if (isId(schema)) return [[name, properties[`${name}Str`]?.type]];
      if (schema.items !== undefined && isId(schema.items))
        return [[name, properties[name.replace(/s$/, 'Strs')]?.items?.type]];
      return [];
    }),
  );
  expect(new Set(twins.map(([name]) => name))).toEqual(
    new Set(['id', 'ownerId', 'playerId', 'savedPositionPlayerIds']),
  );
  for (const [name, type] of twins) expect(type, name).toBe('string');
  const operationIds = objects.flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId]));
  expect(operationIds.length).toBeGreaterThan(4);
  for (const { type } of operationIds) expect(type).toBe('string');
});
