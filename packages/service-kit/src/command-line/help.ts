import { helpRows } from '../configuration/print.ts';
import { type Definition, definitions } from '../text/definitions.ts';
import { wordWrap } from '../text/word-wrap.ts';
import type { Command, ProgramDescription } from './program-description.ts';

/** What `--help` shows without a command, on a terminal that is so many columns wide, or elsewhere. */
export function programHelp(program: ProgramDescription, columns: number | undefined): string {
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
export function commandHelp(
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
