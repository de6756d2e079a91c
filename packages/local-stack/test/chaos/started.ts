import type { Program } from '@steward/testing/program';

/** Several systems may start at once on a machine that has other work. */
const startsWithinMs = 60_000;

/** Says what it has to say once it is there; one that does not is not left running. */
export async function started(program: Program, pattern: RegExp): Promise<Program> {
  try {
    await program.line(pattern, { withinMs: startsWithinMs });
    return program;
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}
