import { exitCode } from '../process/exit-code.ts';
import { commandHelp, programHelp } from './help.ts';
import type { ProgramDescription } from './program-description.ts';

export interface Output {
  /** It has columns where it is a terminal. */
  readonly stdout: { write(text: string): unknown; readonly columns?: number };
  readonly stderr: { write(text: string): unknown };
}

const versionWords = ['--version', '-v', 'version'];

/** Runs the command that the arguments name. Returns an exit code where the program is to end. */
export async function runProgram(
  program: ProgramDescription,
  args: readonly string[],
  output: Output = process,
): Promise<number | undefined> {
  const isHelp = (arg: string, index: number): boolean =>
    arg === '--help' || arg === '-h' || (arg === 'help' && index === 0);
  const wantsHelp = args.some(isHelp);
  if (args.length === 1 && versionWords.includes(args[0] ?? '')) {
    output.stdout.write(`${program.name} ${program.version()}\n`);
    return exitCode.ok;
  }
  // A terminal that has just been made for a container says 0 until it is told its size.
  const columns = output.stdout.columns || undefined;
  const [name, ...rest] = args.filter((arg, index) => !isHelp(arg, index));
  if (name === undefined && wantsHelp) {
    output.stdout.write(programHelp(program, columns));
    return exitCode.ok;
  }
  const chosen = name ?? program.defaultCommand;
  const command = Object.hasOwn(program.commands, chosen) ? program.commands[chosen] : undefined;
  if (command === undefined) return refuse(program, output, `there is no command "${chosen}"`);
  if (wantsHelp) {
    output.stdout.write(commandHelp(program, chosen, command, columns));
    return exitCode.ok;
  }
  const known = Object.keys(command.flags ?? {}).map((flag) => `--${flag}`);
  const unknown = rest.filter((arg) => !known.includes(arg));
  if (unknown.length > 0) {
    const options = known.length === 0 ? '' : ` (its options: ${known.join(', ')})`;
    return refuse(program, output, `${chosen} takes no "${unknown.join(' ')}"${options}`);
  }
  const code: unknown = await command.run(new Set(rest.map((flag) => flag.slice('--'.length))));
  return typeof code === 'number' ? code : undefined;
}

function refuse(program: ProgramDescription, output: Output, problem: string): number {
  const commands = Object.keys(program.commands).join(', ');
  output.stderr.write(
    `${program.name}: ${problem}; the commands are ${commands}, and --help explains them\n`,
  );
  return exitCode.usage;
}
