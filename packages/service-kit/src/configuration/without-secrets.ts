import type { Environment } from './read.ts';
import type { VariableTable } from './variable.ts';

/** The environment for a program that the service starts: all but the table's secrets and the files that hold them. */
export function withoutSecrets(table: VariableTable, environment: Environment): Environment {
  const secrets = new Set(
    Object.entries(table).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [])),
  );
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secrets.has(name)));
}
