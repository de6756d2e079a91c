import type { z } from 'zod';

/** One row of a service's configuration table: all that reading, `--help`, the docs and `.env.example` need. */
export interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  /** The value when the variable is unset; a row without one is optional. */
  readonly fallback: T;
  /** The fallback as an operator would write it; empty when there is none. */
  readonly fallbackText: string;
  /** What may be written, in the words that an error message uses. */
  readonly allowed: string;
  readonly meaning: string;
  /** May come from the file that `<NAME>_FILE` names, and is never shown. */
  readonly secret: boolean;
  /** Set but empty is a value of its own here; everywhere else it counts as unset. */
  readonly emptyIsAValue?: boolean;
}

export type VariableTable = Readonly<Record<string, Variable<unknown>>>;

/** The values that a table reads, under the variables' own names. */
export type Configuration<Table extends VariableTable> = {
  readonly [Name in keyof Table]: Table[Name]['fallback'];
};
