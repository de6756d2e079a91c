import type { ComponentChildren } from 'preact';
import '../styles/table.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand below each other by their last digits. */
  readonly isNumber?: boolean;
  /** Buttons and the like: its title is for who cannot see them. */
  readonly isDeeds?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** In its place where there are no rows. */
  readonly empty: ComponentChildren;
}

/** Rows and columns where there is room; on a phone each row is a card of its own. */
export function Table<Row>({ caption, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <>{empty}</>;
  const kindOf = ({ isNumber, isDeeds }: Column<Row>) => (isNumber ? 'number' : isDeeds ? 'deeds' : '');
  return (
    <table>
      <caption class="out-of-sight">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={kindOf(column)}>
              {column.isDeeds ? <span class="out-of-sight">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td
                key={column.title}
                class={kindOf(column)}
                data-title={column.isDeeds ? undefined : column.title}
              >
                {column.isDeeds ? column.cell(row) : <div>{column.cell(row)}</div>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
