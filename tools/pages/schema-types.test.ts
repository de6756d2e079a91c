import { endpoints } from '@steward/shared/api/endpoints';
import { exactId } from '@steward/shared/exact-id';
import { describe, expect, it } from 'vitest';
import { aboutValue, namedType, type Schema, typeOf } from './schema-types.ts';

const id = { type: 'integer', format: 'int64', description: exactId.description ?? '' };

describe('a type of the client', () => {
  it.each<[Schema, string, string]>([
    [id, 'bigint', 'bigint | string'],
    [{ type: ['integer', 'string'], format: 'int64' }, 'bigint', 'bigint | string'],
    [{ type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER }, 'number', 'number'],
    [{ type: 'string', pattern: '^[0-9]{1,20}$' }, 'string', 'bigint | string'],
    [{ type: 'string', format: 'date-time' }, 'string', 'Date | string'],
    [{ type: ['integer', 'string'] }, 'number | string', 'number | string'],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number | null', 'number | null'],
    [{ enum: ['a', "it's"] }, "'a' | 'it\\'s'", "'a' | 'it\\'s'"],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]", "('a' | 'b')[]"],
    [{ type: 'object', additionalProperties: {} }, 'Record<string, unknown>', 'Record<string, unknown>'],
    [{ $ref: '#/components/schemas/Status' }, 'Status', 'Status'],
    [{ description: 'anything' }, 'unknown', 'unknown'],
  ])('of %j is %s, and %s where it is given', (schema, read, given) => {
    expect(typeOf(schema)).toBe(read);
    expect(typeOf(schema, '', true)).toBe(given);
  });

  it('says what the document says, but of ids no advice for those who round them', () => {
    const description = `${exactId.description}. Absent where nobody knows`;
    const properties = {
      id,
      oldId: { ...id, description },
      name: { type: 'string', description: 'ends in */' },
    };
    expect(namedType('One', { type: 'object', description: 'Somebody', properties, required: ['id'] })).toBe(`
/** Somebody */
export interface One {
  id: bigint;
  /** Absent where nobody knows */
  oldId?: bigint;
  /** ends in *\\/ */
  name?: string;
}
`);
  });

  it('is told of a parameter as of an answer, without that advice', () => {
    const { means } = endpoints.grantAdmin.query.playerId;
    expect(means).toContain('JavaScript');
    expect(aboutValue(means)).toBe(
      'The stable id, better for automation. Exactly one of name and playerId must be given.',
    );
  });

  it('of what differs by its type tells what each has', () => {
    const kind = (type: string, data: Schema) => ({
      description: `It ${type}`,
      properties: { type: { const: type }, at: { type: 'string' }, where: { type: 'string' }, data },
      required: ['type', 'at', 'data'],
    });
    const kinds = [kind('came', { type: 'object', properties: { id } }), kind('ended', { type: 'object' })];
    expect(namedType('Event', { oneOf: kinds })).toBe(`
/** What Event has as its \`data\`, by its \`type\`. */
export interface EventData {
  /** It came */
  'came': {
    id?: bigint;
  };
  /** It ended */
  'ended': object;
}

/** What can be said in the \`type\` of Event. */
export type EventType = keyof EventData;

export type Event = {
  [Type in EventType]: {
    type: Type;
    at: string;
    where?: string;
    data: EventData[Type];
  };
}[EventType];
`);
  });

  it('is none of what nobody knows how to print', () => {
    expect(() => typeOf({ not: {} } as Schema)).toThrow('not');
  });
});
