import { enableCompileCache } from 'node:module';
import { sourceStack } from '../log/source-stack.ts';
import { endWithReader } from '../process/end-with-reader.ts';
import { exitCode } from '../process/exit-code.ts';
import { OperatorError } from '../process/operator-error.ts';
import { runProgram } from './program.ts';
import type { ProgramDescription } from './program-description.ts';

/** Runs a program with this process's arguments; what the operator can mend is a line each, not a stack trace. */
export async function start(program: ProgramDescription): Promise<void> {
  // Node would open its inspector, through which whoever is on the machine reads every secret that this process holds.
  process.on('SIGUSR1', () => {});
  // What V8 has compiled once is read back at the next start; where there is no place for it, nothing is lost.
  enableCompileCache();
  endWithReader();
  try {
    const code = await runProgram(program, process.argv.slice(2));
    // A command that is done does not wait for what its libraries may still be doing.
    if (code !== undefined) process.stdout.write('', () => process.exit(code));
  } catch (error) {
    process.stderr.write(`${explain(program.name, error)}\n`);
    process.exit(error instanceof OperatorError ? error.exitCode : exitCode.failure);
  }
}

function explain(name: string, error: unknown): string {
  if (error instanceof OperatorError) return error.lines.map((line) => `${name}: ${line}`).join('\n');
  return `${name}: ${error instanceof Error ? sourceStack(error.stack ?? error.message) : String(error)}`;
}
