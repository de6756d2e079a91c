import type { Definition } from '../text/definitions.ts';
import type { Variable, VariableTable } from './variable.ts';

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
