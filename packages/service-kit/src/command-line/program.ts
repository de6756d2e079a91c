import { enableCompileCache } from 'node:module';
import { helpRows, type VariableTable } from '../configuration/variable.ts';
import { sourceStack } from '../log/source-stack.ts';
import { endWithReader } from '../process/ending.ts';
import { exitCode, OperatorError } from '../process/errors.ts';
import { type Definition, definitions, wordWrap } from '../text/layout.ts';

export interface Command {
  readonly summary: string;
  /** What its own `--help` says besides. */
  readonly details?: string;
  /** The flags it takes, without their dashes, and what each does. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Loads what it needs when it is called, so that help costs nothing. A number is what the process then ends with. */
  run(flags: ReadonlySet<string>): Promise<number> | Promise<void>;
}

export interface ProgramDescription {
  readonly name: string;
  readonly summary: string;
  readonly version: () => string;
  readonly commands: Readonly<Record<string, Command>>;
  /** The command that runs when none is named. */
  readonly defaultCommand: string;
  readonly variables: VariableTable;
  /** What each exit code means, for `--help`. */
  readonly exitCodes?: Readonly<Record<number, string>>;
}

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

/** What `--help` shows without a command, on a terminal that is so many columns wide, or elsewhere. */
function programHelp(program: ProgramDescription, columns: number | undefined): string {
  const { name, summary, commands, defaultCommand, variables } = program;
  const rows = Object.entries(commands).map(([command, row]): Definition => {
    const note = command === defaultCommand ? ' (the default)' : '';
    return [command, `${row.summary}${note}`];
  });
  return sections(
    paragraph(`${name}: ${summary}`, columns),
    `Usage: ${name} [command], help [command], --version`,
    `Commands:\n${definitions(rows, columns)}`,
    exitCodes(program, columns),
    `Environment:\n${definitions(helpRows(variables), columns)}`,
  );
}

/** What `<command> --help` shows. */
function commandHelp(
  program: ProgramDescription,
  commandName: string,
  command: Command,
  columns: number | undefined,
): string {
  const { name } = program;
  const flags = Object.entries(command.flags ?? {}).map(
    ([flag, meaning]): Definition => [`--${flag}`, meaning],
  );
  return sections(
    paragraph(`${name} ${commandName}: ${command.summary}`, columns),
    `Usage: ${[name, commandName, ...flags.map(([flag]) => `[${flag}]`)].join(' ')}`,
    command.details === undefined ? undefined : paragraph(command.details, columns),
    flags.length === 0 ? undefined : `Options:\n${definitions(flags, columns)}`,
    exitCodes(program, columns),
    paragraph(`What it reads from the environment: ${name} --help`, columns),
  );
}

function exitCodes(
  { exitCodes: codes }: ProgramDescription,
  columns: number | undefined,
): string | undefined {
  return codes === undefined ? undefined : `Exit codes:\n${definitions(Object.entries(codes), columns)}`;
}

function paragraph(text: string, columns: number | undefined): string {
  return columns === undefined ? text : wordWrap(text.replaceAll('\n', ' '), columns).join('\n');
}

function sections(...parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}
