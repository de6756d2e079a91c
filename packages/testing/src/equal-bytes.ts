import { expect } from 'vitest';

/** Vitest would make a list of every byte of both, which takes most of the time of tests of large files. */
function equalBytes(one: unknown, other: unknown): boolean | undefined {
  return Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined;
}

expect.addEqualityTesters([equalBytes]);
