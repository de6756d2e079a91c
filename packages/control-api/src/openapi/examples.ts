import { readFileSync } from 'node:fs';
import { parseExact } from '@steward/shared/json/exact';
import { z } from 'zod';

const byStatus = z.record(z.string(), z.unknown());

/** Real answers by operation and status: a test makes them, writes the file, and holds it equal. */
const file = new URL('../../openapi-examples.json', import.meta.url);

export const examples: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  Object.entries(z.record(z.string(), byStatus).parse(parseExact(readFileSync(file, 'utf8')))),
);
