import { z } from 'zod';
import { Secret } from '../secret.ts';
import type { Variable } from './variable.ts';

const largestPort = 65_535;

export function boolean(row: { fallback: boolean; meaning: string }): Variable<boolean> {
  return {
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['true', 'false']))
      .transform((text) => text === 'true'),
    fallback: row.fallback,
    fallbackText: String(row.fallback),
    allowed: 'true or false',
    meaning: row.meaning,
    secret: false,
  };
}

export function integer(row: {
  fallback: number;
  min: number;
  max: number;
  meaning: string;
}): Variable<number> {
  return {
    schema: z
      .string()
      .regex(/^[0-9]{1,15}$/)
      .transform(Number)
      .pipe(z.int().min(row.min).max(row.max)),
    fallback: row.fallback,
    fallbackText: String(row.fallback),
    allowed: `an integer from ${row.min} to ${row.max}`,
    meaning: row.meaning,
    secret: false,
  };
}

/** Port 0 asks the system for a free one, which the log then names. */
export function port(row: { fallback: number; meaning: string }): Variable<number> {
  return integer({ ...row, min: 0, max: largestPort });
}

export function choice<const Value extends string>(row: {
  fallback: Value;
  values: readonly [Value, ...Value[]];
  meaning: string;
}): Variable<Value> {
  return {
    schema: z.string().pipe(z.enum(row.values)),
    fallback: row.fallback,
    fallbackText: row.fallback,
    allowed: `one of ${row.values.join(', ')}`,
    meaning: row.meaning,
    secret: false,
  };
}

export function text(row: { fallback: string; allowed: string; meaning: string }): Variable<string> {
  return {
    schema: z.string(),
    fallback: row.fallback,
    fallbackText: row.fallback,
    allowed: row.allowed,
    meaning: row.meaning,
    secret: false,
  };
}

/** Items between commas; spaces around them do not count. `read` gives an item's value, or undefined for a bad one. */
export function list<Item>(row: {
  allowed: string;
  meaning: string;
  read: (item: string) => Item | undefined;
}): Variable<readonly Item[]> {
  return {
    schema: z.string().transform((text, context) => {
      const items = text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
      const read = items.map(row.read).filter((item) => item !== undefined);
      if (read.length < items.length) context.addIssue({ code: 'custom' });
      return read;
    }),
    fallback: [],
    fallbackText: '',
    allowed: row.allowed,
    meaning: row.meaning,
    secret: false,
  };
}

export function optionalUrl(row: { meaning: string }): Variable<URL | undefined> {
  return {
    schema: z.url({ protocol: /^https?$/ }).transform((text) => new URL(text)),
    fallback: undefined,
    fallbackText: '',
    allowed: 'an http or https URL',
    meaning: row.meaning,
    secret: false,
  };
}

/**
 * A secret that is sent as a header: nothing else comes through one unchanged, and what does not fit would be quoted by
 * whoever refuses to send it.
 */
export function headerSecret(row: { allowed: string; meaning: string }): Variable<Secret | undefined> {
  return {
    ...secret(row),
    schema: z
      .string()
      .regex(/^[!-~]([ -~]*[!-~])?$/)
      .transform((value) => new Secret(value)),
  };
}

export function secret(row: { allowed: string; meaning: string }): Variable<Secret | undefined> {
  return {
    schema: z.string().transform((value) => new Secret(value)),
    fallback: undefined,
    fallbackText: '',
    allowed: row.allowed,
    meaning: row.meaning,
    secret: true,
  };
}
