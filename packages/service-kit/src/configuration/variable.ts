import { choice, type Kind, type Row } from '@steward/shared/kinds';
import type { Definition } from '../text/layout.ts';

export interface VariableKind<T> extends Kind<T> {
  /** May come from the file that `<NAME>_FILE` names, and is never shown. */
  readonly secret?: true;
}

/** One row of a service's configuration table: all that reading, `--help`, the docs and `.env.example` need. */
export interface Variable<T> extends Row<T> {
  readonly kind: VariableKind<T>;
  /** The value when the variable is unset; a row without one is optional. */
  readonly fallback: T;
  /** The fallback as an operator would write it; empty when there is none. */
  readonly fallbackText: string;
  /** Set but empty is a value of its own here; everywhere else it counts as unset. */
  readonly emptyIsAValue: boolean;
}

export type VariableTable = Readonly<Record<string, Variable<unknown>>>;

/** The values that a table reads, under the variables' own names. */
export type Configuration<Table extends VariableTable> = {
  readonly [Name in keyof Table]: Table[Name]['fallback'];
};

interface Optional {
  readonly means: string;
  readonly emptyIsAValue?: boolean;
}

interface WithFallback<T> extends Optional {
  readonly fallback: T;
  /** Where the value itself is not what an operator would write. */
  readonly fallbackText?: string;
}

export function variable<T>(kind: VariableKind<T>, row: WithFallback<NoInfer<T>>): Variable<T>;
export function variable<T>(kind: VariableKind<T>, row: Optional): Variable<T | undefined>;
export function variable<T>(
  kind: VariableKind<T>,
  row: Optional & Partial<WithFallback<T>>,
): Variable<T | undefined> {
  const { means, fallback, fallbackText = String(fallback ?? ''), emptyIsAValue = false } = row;
  return { kind, means, fallback, fallbackText, emptyIsAValue };
}

/** The rows that every service has. */
export const logVariables = {
  LOG_LEVEL: variable(choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), {
    fallback: 'info',
    means: 'The least important log line that is written',
  }),
  LOG_FORMAT: variable(choice(['auto', 'json', 'pretty']), {
    fallback: 'auto',
    means: 'How log lines look; auto is pretty on a terminal and JSON elsewhere',
  }),
};

/** The variables that hold the table's secrets, and those that name the files with them. */
export function secretNames(table: VariableTable): readonly string[] {
  return Object.entries(table).flatMap(([name, { kind }]) => (kind.secret ? [name, `${name}_FILE`] : []));
}

/** Each variable with all that `--help` says of it. */
export function helpRows(table: VariableTable): Definition[] {
  return rows(table).map(([name, variable]) => {
    const fallback = variable.fallbackText === '' ? '' : ` Default: ${variable.fallbackText}.`;
    const file = variable.kind.secret ? ` Or ${name}_FILE: a file that holds it.` : '';
    return [name, `${variable.means} (${variable.kind.allowed}).${fallback}${file}`];
  });
}

/** The rows as a Markdown table. */
export function markdownTable(table: VariableTable): string {
  const lines = rows(table).map(([name, variable]) => {
    const names = variable.kind.secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    const fallback = variable.fallbackText === '' ? 'none' : `\`${variable.fallbackText}\``;
    return `| ${names} | ${variable.means} | ${variable.kind.allowed} | ${fallback} | ${variable.kind.secret ? 'yes' : 'no'} |`;
  });
  return [
    '| Variable | Meaning | Allowed | Default | Secret |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** The rows as an environment file in which every line is a comment that states the default. */
export function environmentExample(table: VariableTable): string {
  return rows(table)
    .map(
      ([name, variable]) =>
        `# ${variable.means} (${variable.kind.allowed}).\n#${name}=${variable.fallbackText}`,
    )
    .join('\n\n');
}

function rows(table: VariableTable): [string, Variable<unknown>][] {
  return Object.entries(table);
}
