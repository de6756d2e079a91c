import { readFileSync } from 'node:fs';
import { z } from 'zod';

const byStatus = z.record(z.string(), z.unknown());

/** Real answers by operation and status: a test makes them, writes the file, and holds it equal. */
const file = new URL('../../openapi-examples.json', import.meta.url);

export const examples: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  Object.entries(
    z.record(z.string(), byStatus).parse(JSON.parse(readFileSync(file, 'utf8'), withEveryDigit)),
  ),
);

/** An id keeps its source text, which any JSON writer then writes as it is: the docs page uses one of its own. */
function withEveryDigit(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const rounds = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return rounds && source !== undefined ? JSON.rawJSON(source) : value;
}
