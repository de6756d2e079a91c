import { join } from 'node:path';
import { choice, type Kind, type Row } from '@steward/shared/kinds';
import { accepted } from '@steward/shared/parsed';
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
  /** The fallback lies below DATA_DIR, and moves with it. */
  readonly isBelowData: boolean;
}

export type VariableTable = Readonly<Record<string, Variable<unknown>>>;

/** The values that a table reads, under the variables' own names. */
export type Configuration<Table extends VariableTable> = {
  readonly [Name in keyof Table]: Table[Name]['fallback'];
};

const anyDirectory: Kind<string> = {
  allowed: 'a directory that the service may write to',
  parse: accepted,
  json: { type: 'string' },
};

const nameOfServer: Kind<string> = { ...anyDirectory, allowed: 'a name for this farm’s server' };

interface Optional {
  readonly means: string;
  readonly emptyIsAValue?: boolean;
  readonly isBelowData?: boolean;
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
  const { means, fallback, fallbackText = String(fallback ?? '') } = row;
  const { emptyIsAValue = false, isBelowData = false } = row;
  return { kind, means, fallback, fallbackText, emptyIsAValue, isBelowData };
}

/** Where everything that is kept lies in an image. */
const dataDirectory = '/data';

export const dataVariables = {
  DATA_DIR: variable(anyDirectory, {
    fallback: dataDirectory,
    means: 'Replaces /data at the start of every default, if only one directory is writable',
  }),
};

/** A fallback as it is where DATA_DIR moves it. */
export function movedFallback<T>({ fallback, isBelowData }: Variable<T>, directory = dataDirectory): T {
  if (!isBelowData || typeof fallback !== 'string') return fallback;
  return join(directory, fallback.slice(dataDirectory.length)) as T;
}

/** Which of several servers this one is. */
export const instanceVariables = {
  INSTANCE_NAME: variable(nameOfServer, {
    fallback: '',
    means:
      'The name of this server, to tell several apart: in its log, its status, its metrics, its events and its webhooks',
  }),
};

/** The rows that every service has. */
export const logVariables = {
  LOG_LEVEL: variable(choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), {
    fallback: 'info',
    means: 'The least important log line that is written',
  }),
  LOG_FORMAT: variable(choice(['auto', 'json', 'pretty']), {
    fallback: 'auto',
    means: 'The format of log lines; auto is pretty in a terminal and JSON elsewhere',
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
    const file = variable.kind.secret ? ` Or ${name}_FILE: a file that contains it.` : '';
    return [name, `${variable.means} (${variable.kind.allowed}).${fallback}${file}`];
  });
}

/** The rows as a Markdown table. */
export function markdownTable(table: VariableTable): string {
  const lines = rows(table).map(([name, variable]) => {
    const names = variable.kind.secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    const fallback = variable.fallbackText === '' ? 'none' : `\`${variable.fallbackText}\``;
    return `| ${names} | ${variable.means} | ${shown(variable.kind.allowed)} | ${fallback} | ${variable.kind.secret ? 'yes' : 'no'} |`;
  });
  return [
    '| Variable | Meaning | Allowed | Default | Secret |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** Text in which Markdown would take `<path>` for HTML, and leave it out. */
function shown(text: string): string {
  return text.replaceAll('<', '&lt;');
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
