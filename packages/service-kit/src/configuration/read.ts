import { readFileSync } from 'node:fs';
import { withoutMark } from '../json.ts';
import { errorCode, OperatorError } from '../process/errors.ts';
import { type Configuration, movedFallback, type Variable, type VariableTable } from './variable.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads every row, so that one start shows everything that is wrong. Empty counts as unset. */
export function readConfiguration<Table extends VariableTable>(
  table: Table,
  environment: Environment,
): Configuration<Table> {
  const lines: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(table)) {
    try {
      values[name] = readVariable(name, variable, environment);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      lines.push(...error.lines);
    }
  }
  if (lines.length > 0) throw new OperatorError(...lines);
  return values as Configuration<Table>;
}

function readVariable<T>(name: string, variable: Variable<T>, environment: Environment): T {
  const text = textOf(name, variable, environment);
  if (text === undefined) return movedFallback(variable, given(environment, 'DATA_DIR'));
  const { allowed, parse, secret } = variable.kind;
  const parsed = parse(text);
  if (parsed.ok) return parsed.value;
  const problem = secret ? 'is malformed' : `is ${shownValue(text)}`;
  throw new OperatorError(`${name} ${problem}: it must be ${allowed}`);
}

/** A refused value for people: what is wrong with a URL may be that it has a password, or that it lacks `http://` before one. */
export function shownValue(text: string): string {
  return JSON.stringify(text.replace(/^(?:([^:]*?:?\/\/)|[^:]*:).*@/s, '$1…@'));
}

function textOf<T>(
  name: string,
  { kind, emptyIsAValue }: Variable<T>,
  environment: Environment,
): string | undefined {
  if (kind.secret) return secretText(name, environment);
  return emptyIsAValue ? environment[name] : given(environment, name);
}

function secretText(name: string, environment: Environment): string | undefined {
  const fileVariable = `${name}_FILE`;
  const text = given(environment, name);
  const file = given(environment, fileVariable);
  if (file === undefined) return text;
  if (text !== undefined)
    throw new OperatorError(`${name} and ${fileVariable} are both set: set one of them`);
  const content = fileText(fileVariable, file);
  if (content === '')
    throw new OperatorError(`${fileVariable} names ${file}, which is empty: it must contain the value`);
  return content;
}

/** Editors and `echo` end a file with a line break that no secret means to have. */
function fileText(fileVariable: string, file: string): string {
  try {
    return withoutMark(readFileSync(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    const code = errorCode(error) ?? error;
    throw new OperatorError(
      `${fileVariable} names ${file}, which cannot be read (${code}): it must be a readable file`,
    );
  }
}

function given(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}
