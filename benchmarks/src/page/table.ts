/** A number as people read it: three digits where it is small, thousands where it is not. */
export function amount(value: number, unit: string): string {
  const shown =
    Math.abs(value) >= 100
      ? Math.round(value).toLocaleString('en')
      : value.toFixed(Math.abs(value) < 10 ? 2 : 1);
  return unit === '' ? shown : `${shown} ${unit}`;
}

/** A ratio, to the same three digits or so. */
export function times(ratio: number): string {
  return Math.abs(ratio) < 0.1 ? String(Number(ratio.toPrecision(2))) : ratio.toFixed(2);
}

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function tableHead(columns: readonly string[]): string {
  return `${tableRow(columns)}\n${tableRow(columns.map(() => '---'))}`;
}

/** What stands in a row's cells; none where the line is no row. */
export function cells(line: string): readonly string[] {
  return /^\| (.*) \|$/.exec(line)?.[1]?.split(' | ') ?? [];
}

/** What stands in a row's first cell; nothing where the line is no row. */
export function firstCell(line: string): string | undefined {
  return cells(line)[0];
}
