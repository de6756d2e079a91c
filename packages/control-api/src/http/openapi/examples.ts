import { readFileSync } from 'node:fs';
import { packageFile } from '@steward/service-kit/process/package-file';
import { z } from 'zod';

const file = packageFile(import.meta.url, 'openapi-examples.json');

type Examples = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

let read: Examples | undefined;

/** A real answer of an operation, or of a kind of error, with a status: a test makes them all, writes the file, and holds it equal. */
export function exampleOf(what: string, status: string): unknown {
  read ??= readExamples();
  return read[what]?.[status];
}

function readExamples(): Examples {
  const byStatus = z.record(z.string(), z.unknown());
  return z.record(z.string(), byStatus).parse(JSON.parse(readFileSync(file, 'utf8'), withEveryDigit));
}

/** An id keeps its source text, which any JSON writer then writes as it is: the docs page uses one of its own. */
function withEveryDigit(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const rounds = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return rounds && source !== undefined ? JSON.rawJSON(source) : value;
}
