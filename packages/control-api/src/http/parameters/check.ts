import { capital } from '@steward/shared/capital';
import { Problem } from '@steward/shared/problems/problem';
import type { z } from 'zod';
import type { QueryText } from './query-text.ts';

type Checked = { readonly value: unknown } | { readonly error: Problem };

export interface CheckOptions {
  /** Whether a parameter that the route does not have is an error, or passed over. */
  readonly refuseUnknown: boolean;
}

/**
 * The one way in for parameters: each is given at most once and is valid as a whole, or the answer is a problem that
 * names it.
 */
export function checkQuery(schema: z.ZodObject, { refuseUnknown }: CheckOptions) {
  const names = Object.keys(schema.shape);
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
    return checkValues(schema, given);
  };
}

/** Checks values that stand alone already, as a path's do. */
export function checkValues(schema: z.ZodObject, given: Readonly<Record<string, string>>): Checked {
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
