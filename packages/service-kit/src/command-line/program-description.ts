import type { VariableTable } from '../configuration/variable.ts';

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
