import type { Kind, Row } from '@steward/shared/kinds';

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
