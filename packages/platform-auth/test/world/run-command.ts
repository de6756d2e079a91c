import type { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { Program } from '@steward/testing/program';
import { entry, surroundings } from './at-terminal.ts';

export interface Outcome {
  readonly code: number | null;
  /** As it was written, line by line. */
  readonly stdout: readonly string[];
  readonly stderr: string;
}

/** A command as a script runs it: with nobody in front of it. */
export async function runCommand(
  world: Parameters<typeof surroundings>[0],
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  await using program = new Program(entry, args, { ...surroundings(world), ...env });
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr.join('\n') };
}

/** The same beside others in one process, where the process is not what is tested. */
export async function runInTurn(
  commands: CommandsInTurn,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const { code, stdout, stderr } = await commands.run(args, environment);
  return { code, stdout, stderr: stderr.join('\n') };
}
