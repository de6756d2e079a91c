import { filterTable } from '@steward/platform-auth/download/filter/filter-table';
import { withTable } from './table-in-page.ts';

/** The table of what is left out comes from the filter's own. */
export function downloadPage(): string {
  const rows = filterTable.map(
    ({ what, reason, language }) =>
      `| ${what} | ${reason} | ${language === undefined ? '`PLATFORM_KEEP_FILES`' : `\`${language}\``} |`,
  );
  return withTable(
    'docs/download.md',
    'filter table',
    ['| Left out | Why | Kept by |', '| --- | --- | --- |'],
    rows,
  );
}
