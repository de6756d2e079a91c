/** A number as people read it: three digits where it is small, thousands where it is not. */
export function amount(value: number, unit: string): string {
  const shown =
    Math.abs(value) >= 100
      ? Math.round(value).toLocaleString('en')
      : value.toFixed(Math.abs(value) < 10 ? 2 : 1);
  return unit === '' ? shown : `${shown} ${unit}`;
}

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function tableHead(columns: readonly string[]): string {
  return `${tableRow(columns)}\n${tableRow(columns.map(() => '---'))}`;
}

/** What stands in a row's first cell; nothing where the line is no row. */
export function firstCell(line: string): string | undefined {
  return /^\| ([^|]+?) \|/.exec(line)?.[1];
}
