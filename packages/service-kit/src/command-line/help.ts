import { helpText } from '../configuration/print.ts';
import type { Command, ProgramDescription } from './program.ts';

/** What `--help` shows without a command. */
export function programHelp(program: ProgramDescription): string {
  const { name, summary, commands, defaultCommand, variables } = program;
  const rows = Object.entries(commands).map(([command, row]): Row => {
    const note = command === defaultCommand ? ' (the default)' : '';
    return [command, `${row.summary}${note}`];
  });
  return sections(
    `${name}: ${summary}`,
    `Usage: ${name} [command]`,
    `Commands:\n${columns(rows)}`,
    exitCodes(program),
    `Environment:\n${helpText(variables)}`,
  );
}

/** What `<command> --help` shows. */
export function commandHelp(program: ProgramDescription, commandName: string, command: Command): string {
  const { name } = program;
  const flags = Object.entries(command.flags ?? {}).map(([flag, meaning]): Row => [`--${flag}`, meaning]);
  return sections(
    `${name} ${commandName}: ${command.summary}`,
    `Usage: ${[name, commandName, ...flags.map(([flag]) => `[${flag}]`)].join(' ')}`,
    command.details,
    flags.length === 0 ? undefined : `Options:\n${columns(flags)}`,
    exitCodes(program),
    `What it reads from the environment: ${name} --help`,
  );
}

type Row = readonly [name: string, meaning: string];

function exitCodes({ exitCodes: codes }: ProgramDescription): string | undefined {
  return codes === undefined ? undefined : `Exit codes:\n${columns(Object.entries(codes))}`;
}

function columns(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`).join('\n');
}

function sections(...parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}
