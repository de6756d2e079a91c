import type { VariableTable } from './variable.ts';

/** The variables that hold the table's secrets, and those that name the files with them. */
export function secretNames(table: VariableTable): readonly string[] {
  return Object.entries(table).flatMap(([name, { kind }]) => (kind.secret ? [name, `${name}_FILE`] : []));
}
