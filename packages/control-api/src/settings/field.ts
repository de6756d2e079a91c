import { parseUint64 } from '@steward/shared/ids/uint64';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';

/** A value as it stands in the file. */
export interface WrittenValue {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'property';
  readonly value: unknown;
  /** The source text: what a number was before JavaScript rounded it. */
  readonly text: string;
  readonly items: readonly WrittenValue[];
}

export interface Field<T> {
  /** The name in the file, where upper and lower case count as one. */
  readonly key: string;
  /** Names of other times and places that are read, too. */
  readonly alsoKnownAs?: readonly string[];
  readonly fallback: T;
  /** Completes "it must be …". */
  readonly allowed: string;
  readonly read: (written: WrittenValue) => Parsed<T>;
  /** What a refused value becomes where something nearer than the default is meant. */
  readonly instead?: (written: WrittenValue) => T | undefined;
}

interface Named<T> {
  readonly key: string;
  readonly fallback: T;
}

interface Text {
  readonly allowed: string;
  readonly parse: (text: string) => Parsed<string>;
}

export function text({ parse, ...row }: Named<string> & Text): Field<string> {
  return { ...row, read: ({ value }) => (typeof value === 'string' ? parse(value) : refused('is no text')) };
}

export function flag(row: Named<boolean>): Field<boolean> {
  return {
    ...row,
    allowed: 'true or false',
    read: ({ value }) => (typeof value === 'boolean' ? accepted(value) : refused('is neither')),
  };
}

export function number(row: Named<number> & { above: number }): Field<number> {
  return {
    ...row,
    allowed: `a number above ${row.above}`,
    read: ({ value }) =>
      typeof value === 'number' && Number.isFinite(value) && value > row.above
        ? accepted(value)
        : refused('is none'),
  };
}

export function integer(row: Named<number> & { min: number; max: number }): Field<number> {
  return {
    ...row,
    allowed: `an integer from ${row.min} to ${row.max}`,
    read: ({ value }) =>
      Number.isInteger(value) && Number(value) >= row.min && Number(value) <= row.max
        ? accepted(Number(value))
        : refused('is none'),
  };
}

/** An integer that is brought into its range rather than replaced by the default. */
export function clampedInteger(row: Named<number> & { min: number; max: number }): Field<number> {
  return {
    ...integer(row),
    instead: ({ value }) =>
      Number.isInteger(value) ? Math.min(row.max, Math.max(row.min, Number(value))) : undefined,
  };
}

/** A name in any case, or its place in the list, as the game's own files have it. */
export function choice<const Value extends string>(row: {
  key: string;
  values: readonly [Value, ...Value[]];
}): Field<Value> {
  const [fallback] = row.values;
  return {
    key: row.key,
    fallback,
    allowed: `one of ${row.values.join(', ')}`,
    read({ value }) {
      const found =
        typeof value === 'number'
          ? row.values[value]
          : row.values.find((name) => name.toLowerCase() === String(value).toLowerCase());
      return found === undefined ? refused('is none of them') : accepted(found);
    },
  };
}

/** A seed that fills 64 bits; absent means a random one. */
export function optionalUint64(row: { key: string }): Field<string | undefined> {
  return {
    ...row,
    fallback: undefined,
    allowed: 'null or an unsigned 64-bit integer',
    read: (written) => (written.type === 'null' ? accepted(undefined) : digits(written)),
  };
}

/** Ids, quoted or not: the source text keeps the digits that a number would lose. */
export function listOfIds(row: { key: string; alsoKnownAs: readonly string[] }): Field<string[]> {
  return {
    ...row,
    fallback: [],
    allowed: 'a list of ids in decimal digits',
    read(written) {
      if (written.type !== 'array') return refused('is no list');
      const ids = written.items.map(digits);
      const bad = ids.find((id) => !id.ok);
      if (bad !== undefined && !bad.ok) return bad;
      return accepted(ids.flatMap((id) => (id.ok ? [id.value] : [])));
    },
  };
}

function digits({ type, value, text }: WrittenValue): Parsed<string> {
  if (type !== 'number' && type !== 'string') return refused('is no integer');
  const parsed = parseUint64(type === 'string' ? String(value) : text);
  return parsed.ok ? accepted(parsed.value.toString()) : parsed;
}
