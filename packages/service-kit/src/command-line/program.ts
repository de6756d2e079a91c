import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { helpRows, type VariableTable } from '../configuration/variable.ts';
import { sourceStack } from '../log/source-stack.ts';
import { endWithReader, writeWhole } from '../process/ending.ts';
import { exitCode, isOutOfRoom, OperatorError } from '../process/errors.ts';
import { type Definition, definitions, wordWrap } from '../text/layout.ts';
import { forTerminal } from '../text/terminal.ts';

export interface Command {
  readonly summary: string;
  /** What its own `--help` says besides. */
  readonly details?: string;
  /** The flags it takes, without their dashes, and what each does. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The options that take a value, without their dashes, and what each means. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** What it needs behind its name, such as a file; `run` gets it among the values, under this name. */
  readonly operand?: { readonly name: string; readonly means: string };
  /** Loads what it needs when it is called, so that help costs nothing. A number is what the process then ends with. */
  run(flags: ReadonlySet<string>, values: ReadonlyMap<string, string>): Promise<number> | Promise<void>;
}

export interface CommandOption {
  readonly means: string;
  readonly isRequired?: boolean;
}

export interface ProgramDescription {
  readonly name: string;
  readonly summary: string;
  readonly version: () => string;
  /** By name; a name may be two words, such as `keys list`. */
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
  keepCompiled();
  const wasFull = endWithReader();
  writeWhole(process.stdout, 1);
  /** Of a command: a service leaves by itself, and a line of its log is no answer. */
  const leave = (code: number, error?: unknown): void => {
    const isLost = wasFull() || isOutOfRoom(error);
    const words = 'standard output is not complete: the disk there is full, or a quota used up';
    if (isLost) process.stderr.write(`${program.name}: ${words}\n`);
    process.exit(isLost ? code || exitCode.failure : code);
  };
  process.once('beforeExit', (code) => leave(code));
  try {
    const code = await runProgram(program, process.argv.slice(2));
    // A command that is done does not wait for what its libraries may still be doing.
    if (code !== undefined) process.stdout.write('', (error) => leave(code, error));
  } catch (error) {
    // It may quote what somebody else wrote.
    process.stderr.write(`${forTerminal(explain(program.name, error))}\n`);
    process.exit(error instanceof OperatorError ? error.exitCode : exitCode.failure);
  }
}

const permissionsOfOthers = 0o077;

/**
 * What V8 has compiled once is read back at the next start; where there is no place for it, nothing is lost. Node runs what
 * it reads there, whoever wrote it, and to its usual place below /tmp anybody on the machine may write.
 */
function keepCompiled(): void {
  const uid = process.getuid?.();
  if (process.env['NODE_COMPILE_CACHE'] || uid === undefined) {
    enableCompileCache();
    return;
  }
  const directory = join(tmpdir(), `steward-cache-${uid}`);
  if (isPrivate(directory, uid)) enableCompileCache(directory);
}

/** Whether only this user can open the directory, which is made where there is nothing. */
function isPrivate(directory: string, user: number): boolean {
  try {
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
    const found = lstatSync(directory);
    return found.isDirectory() && found.uid === user && (found.mode & permissionsOfOthers) === 0;
  } catch {
    return false;
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
  const given = args.filter((arg, index) => !isHelp(arg, index));
  const words = [given.slice(0, 2), given.slice(0, 1)].find((name) =>
    Object.hasOwn(program.commands, name.join(' ')),
  );
  const [name] = given;
  if (name === undefined && wantsHelp) {
    output.stdout.write(programHelp(program, columns));
    return exitCode.ok;
  }
  const chosen = words?.join(' ') ?? name ?? program.defaultCommand;
  const rest = given.slice(words?.length ?? 1);
  const command = Object.hasOwn(program.commands, chosen) ? program.commands[chosen] : undefined;
  if (command === undefined) return refuse(program, output, `there is no command "${chosen}"`);
  if (wantsHelp) {
    output.stdout.write(commandHelp(program, chosen, command, columns));
    return exitCode.ok;
  }
  const read = readArguments(chosen, command, rest);
  if (typeof read === 'string') return refuse(program, output, read);
  const code: unknown = await command.run(read.flags, read.values);
  return typeof code === 'number' ? code : undefined;
}

interface Arguments {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

/** What a command was given, or what is wrong with it. */
function readArguments(
  name: string,
  { flags = {}, options = {}, operand }: Command,
  args: readonly string[],
): Arguments | string {
  const known = [...Object.keys(flags), ...Object.keys(options)].map((option) => `--${option}`);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.keys(options).map((option) => [option, { type: 'string' }])),
    strict: false,
    tokens: true,
  });
  const given = { flags: new Set<string>(), values: new Map<string, string>() };
  const unknown: string[] = [];
  for (const token of tokens) {
    const value = token.kind === 'option' ? token.value : undefined;
    const isOperand = token.kind === 'positional' && operand !== undefined && !given.values.has(operand.name);
    if (isOperand) given.values.set(operand.name, token.value);
    else if (token.kind !== 'option') unknown.push(args[token.index] ?? '');
    else if (Object.hasOwn(flags, token.name) && value === undefined) given.flags.add(token.name);
    else if (!Object.hasOwn(options, token.name)) unknown.push(args[token.index] ?? '');
    else if (given.values.has(token.name)) return `${name}: --${token.name} is given twice`;
    // What looks like an option is one that was forgotten to be given a value, unless it stands behind a `=`.
    else if (value === undefined || (!token.inlineValue && value.startsWith('--')))
      return `${name}: --${token.name} needs a value`;
    else given.values.set(token.name, value);
  }
  if (unknown.length > 0) {
    const its = known.length === 0 ? '' : ` (its options: ${known.join(', ')})`;
    return `${name} takes no "${unknown.join(' ')}"${its}`;
  }
  if (operand !== undefined && !given.values.has(operand.name)) return `${name} needs <${operand.name}>`;
  const missing = Object.keys(options).filter((one) => options[one]?.isRequired && !given.values.has(one));
  return missing.length === 0 ? given : `${name} needs ${missing.map((one) => `--${one}`).join(' and ')}`;
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
  const options = [
    ...Object.entries(command.options ?? {}).map(([option, { means, isRequired = false }]) => ({
      usage: isRequired ? `--${option} <…>` : `[--${option} <…>]`,
      row: [`--${option} <…>`, means] satisfies Definition,
    })),
    ...Object.entries(command.flags ?? {}).map(([flag, means]) => ({
      usage: `[--${flag}]`,
      row: [`--${flag}`, means] satisfies Definition,
    })),
  ];
  const { operand } = command;
  const operands: Definition[] = operand === undefined ? [] : [[`<${operand.name}>`, operand.means]];
  return sections(
    paragraph(`${name} ${commandName}: ${command.summary}`, columns),
    `Usage: ${[name, commandName, ...operands.map(([usage]) => usage), ...options.map(({ usage }) => usage)].join(' ')}`,
    command.details === undefined ? undefined : paragraph(command.details, columns),
    operands.length === 0 ? undefined : definitions(operands, columns),
    options.length === 0
      ? undefined
      : `Options:\n${definitions(
          options.map(({ row }) => row),
          columns,
        )}`,
    exitCodes(program, columns),
    paragraph(`Environment variables: see ${name} --help`, columns),
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
