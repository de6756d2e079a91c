import { readFileSync } from 'node:fs';
import { packageFile } from '@steward/service-kit/process/package-file';
import { Problem } from '@steward/shared/problems/problem';
import { type ProblemCode, problemCodes } from '@steward/shared/problems/problem-codes';
import { z } from 'zod';
import { parameterExample } from '../parameters/check-parameters.ts';

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

/** An example of each of these errors: a real answer where a test can bring one about, what the table says otherwise. */
export function problemExamples(codes: readonly ProblemCode[]): object {
  return Object.fromEntries([...new Set(codes)].toSorted().map((code) => [code, { value: example(code) }]));
}

export function referencesTo(codes: readonly ProblemCode[]): object {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

function example(code: ProblemCode): unknown {
  const { status, title } = problemCodes[code];
  return exampleOf(code, String(status)) ?? new Problem(code, title).details();
}

const digits = /^-?[0-9]+$/;

/**
 * Schemas give the examples of their ids as text, for what makes a document of them copies it as JSON and would round
 * anything else; and it drops those of parameters. In the document they are there, ids with every digit.
 */
export function writeExactExamples(document: object): void {
  eachObject(document, (schema) => {
    const { [parameterExample]: example, examples = example === undefined ? undefined : [example] } = schema;
    delete schema[parameterExample];
    if (!Array.isArray(examples)) return;
    schema['examples'] = isInteger(schema) ? examples.map(exact) : examples;
  });
}

/** Whether a schema is of integers, perhaps among others. */
export function isInteger({ type }: Record<string, unknown>): boolean {
  return [type].flat().includes('integer');
}

function exact(example: unknown): unknown {
  return typeof example === 'string' && digits.test(example) ? JSON.rawJSON(example) : example;
}

/** Calls for every object of a document, the outer ones first. */
export function eachObject(part: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) visit(part as Record<string, unknown>);
  for (const member of Object.values(part)) eachObject(member, visit);
}
