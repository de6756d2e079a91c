import { helpText } from '../configuration/print.ts';
import type { VariableTable } from '../configuration/variable.ts';
import { exitCode } from '../process/exit-code.ts';

export interface Command {
  readonly summary: string;
  /** Loads what it needs when it is called, so that help costs nothing. */
  run(): Promise<void>;
}

export interface ProgramDescription {
  readonly name: string;
  readonly summary: string;
  readonly commands: Readonly<Record<string, Command>>;
  /** The command that runs when none is named. */
  readonly defaultCommand: string;
  readonly variables: VariableTable;
}

export interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Runs the command that the arguments name. Returns an exit code where the program is to end at once. */
export async function runProgram(
  program: ProgramDescription,
  args: readonly string[],
  output: Output = process,
): Promise<number | undefined> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    output.stdout.write(help(program));
    return exitCode.ok;
  }
  const [name = program.defaultCommand, ...rest] = args;
  const command = Object.hasOwn(program.commands, name) ? program.commands[name] : undefined;
  if (command === undefined) return refuse(program, output, `there is no command "${name}"`);
  if (rest.length > 0) return refuse(program, output, `${name} takes no "${rest.join(' ')}"`);
  await command.run();
  return undefined;
}

function help({ name, summary, commands, defaultCommand, variables }: ProgramDescription): string {
  const width = Math.max(...Object.keys(commands).map((command) => command.length)) + 2;
  const rows = Object.entries(commands).map(([command, row]) => {
    const note = command === defaultCommand ? ' (the default)' : '';
    return `  ${command.padEnd(width)}${row.summary}${note}`;
  });
  return `${name}: ${summary}

Usage: ${name} [command]

Commands:
${rows.join('\n')}

Environment:
${helpText(variables)}
`;
}

function refuse(program: ProgramDescription, output: Output, problem: string): number {
  const commands = Object.keys(program.commands).join(', ');
  output.stderr.write(
    `${program.name}: ${problem}; the commands are ${commands}, and --help explains them\n`,
  );
  return exitCode.usage;
}
