import { Problem } from '@steward/shared/problems/problem';
import { type ProblemCode, problemCodes } from '@steward/shared/problems/problem-codes';
import { exampleOf } from './examples.ts';

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
